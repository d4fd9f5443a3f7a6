# What aiperf-metrics and aiperf-report cost, beside a plain Python reader of the same file.
# Called by make bench-metrics, with bin/ on the PATH. RECORDS, METRIC_RECORDS and CHUNKS size the inputs.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
go build -o "$dir/input" ./bench/input
"$dir/input" record "${RECORDS:-20000}" "${CHUNKS:-40}" > "$dir/record.jsonl"
"$dir/input" metric_record "${METRIC_RECORDS:-50000}" "${METRIC_CHUNKS:-20}" > "$dir/metric_record.jsonl"
cat > "$dir/plain.py" <<'PY'
import json, sys
n = 0
for line in open(sys.argv[1], "rb"):
    d = json.loads(line)
    for event in d.get("body", "").split("\n\n"):
        if event.startswith("data: ") and event != "data: [DONE]":
            n += len(json.loads(event[6:])["choices"])
PY
# one NAME FILE COMMAND...: wall and CPU seconds, MB a CPU-second, peak resident memory
one() {
  name=$1 file=$2; shift 2
  python3 - "$name" "$file" "$dir/out.jsonl" "$@" <<'PY'
import os, resource, subprocess, sys, time
name, file, out, *command = sys.argv[1:]
start = time.time()
with open(out, "wb") as f:
    pid = subprocess.Popen(command, stdout=f, stderr=subprocess.DEVNULL).pid
    _, status, use = os.wait4(pid, 0)
wall, cpu, mb = time.time() - start, use.ru_utime + use.ru_stime, os.path.getsize(file) / 1e6
print(f"{name:34} {mb:8.0f} MB {wall:8.2f} s {cpu:8.2f} CPU-s {mb / cpu:8.1f} MB/CPU-s {use.ru_maxrss / 1024:8.0f} MiB" + ("" if status == 0 else "  FAILED"))
PY
}
for kind in record metric_record; do
  file=$dir/$kind.jsonl
  one "plain Python, $kind" "$file" python3 "$dir/plain.py" "$file"
  one "aiperf-metrics, $kind" "$file" aiperf-metrics --quiet --use-server-token-count --streaming "$file"
  mv "$dir/out.jsonl" "$dir/metrics.jsonl"
  one "aiperf-report, of these" "$dir/metrics.jsonl" aiperf-report --artifact-dir "$dir/$kind" "$dir/metrics.jsonl"
done
