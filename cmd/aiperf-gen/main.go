// Aiperf-gen writes requests: payloads, and when to send them. Everything in it is deterministic.
//
//	aiperf-gen -m llama --isl 550 --osl 128 --request-count 200 --streaming | aiperf-send --url http://localhost:8000
//	aiperf-gen -m llama --input-file trace.jsonl --custom-dataset-type mooncake_trace | aiperf-send
package main

import (
	"context"
	"os"
	"strings"

	"aiperf/internal/cli"
	"aiperf/internal/stream"
)

func main() { os.Exit(cli.Main(app())) }

func app() *cli.Tool {
	return &cli.Tool{
		Name: "aiperf-gen", Usage: "make the requests of a benchmark: payloads and schedule",
		Description: "Writes one run line and then one request a line. Without a bound it makes 10 requests.",
		Flags:       flags(),
		Run: func(ctx context.Context, env *cli.Env, c *cli.Context) error {
			if name := c.String("output"); strings.HasSuffix(name, ".parquet") {
				return cli.Usagef("--output %s: Parquet keeps records, not requests; use .jsonl, .jsonl.gz or .jsonl.zst", name)
			}
			p, err := newPlan(env, c)
			if err != nil {
				return err
			}
			defer p.close()
			out, done, err := stream.Output(env.Stdout, c.String("output"))
			if err != nil {
				return err
			}
			err = p.write(ctx, stream.NewWriter(out))
			if e := done(); err == nil {
				err = e
			}
			p.closingWords()
			return err
		},
	}
}
