// Aiperf-send fires requests on time and writes what came back, byte for byte, with the moment each
// byte arrived. It judges nothing.
//
//	aiperf-gen -m llama --request-count 200 --streaming | aiperf-send --url http://localhost:8000 --concurrency 16 > records.jsonl
package main

import (
	"context"
	"os"

	"aiperf/internal/cli"
	"aiperf/internal/stream"
)

func main() { os.Exit(cli.Main(app())) }

func app() *cli.Tool {
	return &cli.Tool{
		Name: "aiperf-send", Usage: "send requests on schedule and record the answers", ArgsUsage: "[FILE...]",
		Description: "Reads request lines from the files or stdin, sends each when its line says, and writes one record line a request,\n" +
			"with timing lines that hold the exact window of each phase. A request that is overdue, or finds no free\n" +
			"slot, is never dropped: it is sent as soon as it can be, and the record says when it was planned.\n" +
			"The first Ctrl-C stops sending and lets requests in flight end; a second one ends at once.",
		Flags: flags(), Signals: true, Run: run,
	}
}

func run(ctx context.Context, env *cli.Env, c *cli.Context) error {
	cfg, err := configure(env, c)
	if err != nil {
		return err
	}
	name := c.String("output")
	w, done, err := stream.Output(env.Stdout, name)
	if err != nil {
		return err
	}
	if name == "" || name == "-" {
		name = "stdout"
	}
	s := newSender(ctx, env, c, cfg, newSpool(w, done, name))
	return s.run()
}
