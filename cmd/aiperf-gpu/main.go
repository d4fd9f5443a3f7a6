// Aiperf-gpu samples power, energy and the other device fields. Not built yet: it exits 69.
package main

import (
	"context"
	"os"

	"aiperf/internal/cli"
)

func main() { os.Exit(cli.Main(app())) }

func app() *cli.Tool {
	return &cli.Tool{
		Name: "aiperf-gpu", Usage: "sample power and energy of GPUs (not built yet)", ArgsUsage: "[FILE...]",
		Run: func(_ context.Context, _ *cli.Env, _ *cli.Context) error {
			return cli.Errorf(cli.ExitUnavailable, "not built yet")
		},
	}
}
