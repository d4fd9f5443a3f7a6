# The main job on the stand-in server. Called by make demo, with bin/ on the PATH and DEMO set.
exec aiperf-mock --ttft 50 --itl 10 sh -c '
  aiperf-gen -m mock --isl 200 --osl 40 --request-count 80 --warmup-request-count 8 --streaming |
    aiperf-send --concurrency 8 | tee -i "$DEMO/records.jsonl" |
    aiperf-metrics | aiperf-report --artifact-dir "$DEMO"'
