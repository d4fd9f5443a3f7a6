package metric

import (
	_ "embed"
	"strconv"
	"strings"
	"testing"
)

//go:embed testdata/metrics.tsv
var table string

// flagNames are AIPerf's names of the bits, in its order.
var flagNames = map[string]Flags{
	"STREAMING_ONLY": Streaming, "ERROR_ONLY": ErrorOnly, "PRODUCES_TOKENS_ONLY": Tokens,
	"LARGER_IS_BETTER": LargerIsBetter, "INTERNAL": Internal, "SUPPORTS_AUDIO_ONLY": Audio,
	"SUPPORTS_IMAGE_ONLY": Image, "SUPPORTS_REASONING": Reasoning, "EXPERIMENTAL": Experimental,
	"GOODPUT": Goodput, "NO_INDIVIDUAL_RECORDS": NoRecords, "TOKENIZES_INPUT_ONLY": TokenizesInput,
	"USAGE_DIFF_ONLY": UsageDiff, "HTTP_TRACE_ONLY": HTTPTrace, "PRODUCES_VIDEO_ONLY": ProducesVideo,
	"PERCENTILE_INCLUDES_FAILED_REQUESTS": WithFailed, "FIXED_SCHEDULE_ONLY": FixedSchedule,
	"DISABLE_ON_ACCURACY": DisableOnAccuracy,
}

// excluded says why a row of the reference is not in All; empty: it is.
func excluded(row map[string]string) string {
	switch {
	case row["kind"] == "telemetry":
		return "a device field: comes with the energy join"
	case strings.HasPrefix(row["console_group"], "gpu_power_efficiency"):
		return "GPU efficiency: comes with the energy join"
	case strings.HasPrefix(row["tag"], "accuracy."):
		return "accuracy mode: not built"
	}
	return ""
}

func TestTableIsTheReference(t *testing.T) {
	ours := map[string]Metric{}
	for _, m := range All {
		if _, twice := ours[m.Tag]; twice {
			t.Errorf("%s stands twice in All", m.Tag)
		}
		ours[m.Tag] = m
	}
	lines := strings.Split(strings.TrimRight(table, "\n"), "\n")
	names := strings.Split(lines[0], "\t")
	left := 0
	for _, line := range lines[1:] {
		row := map[string]string{}
		for i, v := range strings.Split(line, "\t") {
			row[names[i]] = v
		}
		m, have := ours[row["tag"]]
		delete(ours, row["tag"])
		if excluded(row) != "" {
			left++
			if have {
				t.Errorf("%s is in All and excluded: %s", row["tag"], excluded(row))
			}
			continue
		}
		order := ""
		if m.Order != 0 {
			order = strconv.Itoa(m.Order)
		}
		registered := string(m.Registered)
		if registered == "" {
			registered = "no"
		}
		got := map[string]string{
			"tag": m.Tag, "header": m.Header, "unit": m.Unit, "display_unit": m.Show, "display_order": order,
			"kind": string(m.Kind), "value_type": m.Value, "console_group": m.Group,
			"larger_is_better": strconv.FormatBool(m.Flags&LargerIsBetter != 0), "flags": row["flags"],
			"requires": strings.Join(m.Needs, ","), "streaming_only": strconv.FormatBool(m.Flags&Streaming != 0),
			"short_header": m.Short, "short_header_hide_unit": strconv.FormatBool(m.HideUnit),
			"registered": registered, "aggregation": m.Aggregation, "optional": strings.Join(m.Uses, ","),
		}
		for _, name := range names {
			if got[name] != row[name] {
				t.Errorf("%s: %s = %q, want %q", row["tag"], name, got[name], row[name])
			}
		}
		var want Flags
		for name := range strings.SplitSeq(row["flags"], "|") {
			if bit, ok := flagNames[name]; ok {
				want |= bit
			} else if name != "" {
				t.Errorf("%s: unknown flag %s", row["tag"], name)
			}
		}
		if m.Flags != want {
			t.Errorf("%s: flags = %b, want %b", row["tag"], m.Flags, want)
		}
	}
	for tag := range ours {
		t.Errorf("%s is not in the reference", tag)
	}
	if rows := len(lines) - 1; rows != 186 || left != 49 || len(All) != rows-left {
		t.Errorf("%d rows, %d excluded, %d in All; want 186, 49, 137", rows, left, len(All))
	}
}

func TestNeedsExist(t *testing.T) {
	have := map[string]bool{}
	for _, m := range All {
		have[m.Tag] = true
	}
	for _, m := range All {
		for _, tag := range append(m.Needs, m.Uses...) {
			if !have[tag] {
				t.Errorf("%s needs %s, which is not in All", m.Tag, tag)
			}
		}
	}
}
