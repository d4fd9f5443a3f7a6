package tokenizer

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const testdata = "../../testdata/tokenizer/"

// hubOf serves the small tokenizers as org/NAME, and counts what it is asked.
func hubOf(t *testing.T) (f Finder, calls *int, said *[]string) {
	t.Helper()
	calls, said = new(int), new([]string)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*calls++
		parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/") // org NAME resolve REV FILE
		if len(parts) != 5 || parts[0] != "org" || parts[3] != "main" && parts[3] != "v2" {
			http.NotFound(w, r)
			return
		}
		if parts[1] == "wordpiece" && parts[4] == "tokenizer.json" {
			w.Write([]byte(`{"model":{"type":"WordPiece","vocab":{"a":0}}}`))
			return
		}
		http.ServeFile(w, r, filepath.Join(testdata, parts[1], parts[4]))
	}))
	t.Cleanup(srv.Close)
	home := t.TempDir()
	f = Finder{Say: func(s string) { *said = append(*said, s) }, Getenv: func(k string) string {
		return map[string]string{"HF_HOME": home, "HF_ENDPOINT": srv.URL}[k]
	}}
	return f, calls, said
}

func TestTypedNamesAreFoundOrRefused(t *testing.T) {
	f, _, _ := hubOf(t)
	for _, c := range []struct {
		name, ask, want string
		code            int // of the error; 0: none
		why             string
	}{
		{"builtin", "builtin", "o200k_base", 0, ""},
		{"an encoding by name", "p50k_edit", "p50k_edit", 0, ""},
		{"a folder", testdata + "small-llama3", testdata + "small-llama3", 0, ""},
		{"a file", testdata + "small-qwen3/tokenizer.json", testdata + "small-qwen3/tokenizer.json", 0, ""},
		{"a repository of the hub", "org/small-gpt2", "org/small-gpt2", 0, ""},
		{"a folder that is not there", "./nowhere", "", 64, "no tokenizer.json at ./nowhere"},
		{"a repository that is not there", "org/missing", "", 69, "not found"},
		{"a name without owner is asked for too, when typed", "nothing", "", 69, "not found"},
		{"what a tokenizer.json asks for is refused by name", "org/wordpiece", "", 64, "WordPiece"},
		{"no name at all", "a b", "", 64, "neither"},
	} {
		tok, err := f.Typed(c.ask)
		if c.code == 0 {
			if err != nil || tok.Name() != c.want || tok.Note() != "" {
				t.Errorf("%s: Typed(%q) = %v, %v", c.name, c.ask, tok, err)
			}
			continue
		}
		var e *Error
		if !errors.As(err, &e) || e.ExitCode() != c.code || !strings.HasPrefix(err.Error(), "--tokenizer "+c.ask) || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%s: Typed(%q) = %v, want exit %d and %q", c.name, c.ask, err, c.code, c.why)
		}
	}
}

func TestAModelGetsItsOwnTokenizerOrBuiltinWithANote(t *testing.T) {
	for _, c := range []struct {
		name, model, want string
		calls             int // at most: what the hub may be asked
		note              string
	}{
		{"found on the hub", "org/small-llama3", "org/small-llama3", 2, ""},
		{"not on the hub", "org/missing", "o200k_base", 1, "no tokenizer found"},
		{"of a kind not known", "org/wordpiece", "o200k_base", 2, "WordPiece"},
		{"a server's own name asks nobody", "llama", "o200k_base", 0, "on this machine"},
		{"a placeholder asks nobody", "mock-model", "o200k_base", 0, "says nothing"},
		{"a placeholder by its whole name", "test", "o200k_base", 0, "says nothing"},
		{"a path that is not there", "/models/llama", "o200k_base", 0, "no tokenizer.json"},
		{"a path that is there", testdata + "small-qwen3", testdata + "small-qwen3", 0, ""},
		{"an encoding", "cl100k_base", "cl100k_base", 0, ""},
		{"no name", "", "o200k_base", 0, ""},
	} {
		f, calls, said := hubOf(t)
		tok := f.OfModel(c.model)
		if tok.Name() != c.want || (tok.Note() == "") != (c.note == "") || !strings.Contains(tok.Note(), c.note) {
			t.Errorf("%s: OfModel(%q) = %s, note %q", c.name, c.model, tok.Name(), tok.Note())
		}
		if *calls > c.calls || (*calls > 0) != (len(*said) == 1) {
			t.Errorf("%s: asked the hub %d times, said %q", c.name, *calls, *said)
		}
	}
}

func TestTheCacheServesOfflineAndNamesWithoutOwner(t *testing.T) {
	f, calls, _ := hubOf(t)
	if _, err := f.Typed("org/small-llama3"); err != nil {
		t.Fatal(err)
	}
	home, before := f.Getenv("HF_HOME"), *calls
	offline := Finder{Getenv: func(k string) string {
		return map[string]string{"HF_HOME": home, "HF_ENDPOINT": f.Getenv("HF_ENDPOINT"), "HF_HUB_OFFLINE": "1"}[k]
	}}
	tok := offline.OfModel("org/small-llama3")
	if tok.Note() != "" || tok.SpecialTokens() != 1 || tok.Separator() != "<|begin_of_text|>" {
		t.Errorf("from the cache: note %q, specials %d, separator %q", tok.Note(), tok.SpecialTokens(), tok.Separator())
	}
	var e *Error
	if _, err := offline.Typed("org/small-gpt2"); !errors.As(err, &e) || e.ExitCode() != 69 || !strings.Contains(err.Error(), "HF_HUB_OFFLINE") {
		t.Errorf("offline, not in the cache: %v", err)
	}
	hub := filepath.Join(home, "hub")
	if err := os.Rename(filepath.Join(hub, "models--org--small-llama3"), filepath.Join(hub, "models--alone")); err != nil {
		t.Fatal(err)
	}
	if tok := offline.OfModel("alone"); tok.Note() != "" {
		t.Errorf("a name without owner in the cache: %q", tok.Note())
	}
	if *calls != before {
		t.Errorf("the hub was asked %d times offline", *calls-before)
	}
}

func TestARevisionIsAskedForAndShown(t *testing.T) {
	f, _, _ := hubOf(t)
	f.Revision = "v2"
	if tok, err := f.Typed("org/small-gpt2"); err != nil || tok.Name() != "org/small-gpt2@v2" {
		t.Errorf("%v, %v", tok, err)
	}
	if _, err := f.Typed("builtin"); err == nil || !strings.Contains(err.Error(), "v2") {
		t.Errorf("builtin has no revision: %v", err)
	}
}

func TestAHubThatDoesNotAnswerIsLeftAlone(t *testing.T) {
	f := Finder{Getenv: func(k string) string {
		return map[string]string{"HF_HOME": t.TempDir(), "HF_ENDPOINT": "http://127.0.0.1:1"}[k]
	}}
	if tok := f.OfModel("org/name"); !strings.Contains(tok.Note(), "127.0.0.1:1") {
		t.Errorf("note %q", tok.Note())
	}
}

func TestOpenNeverAsksTheNetwork(t *testing.T) {
	if _, err := Open("org/name"); err == nil || !strings.Contains(err.Error(), "no known encoding") {
		t.Errorf("Open(org/name): %v", err)
	}
	if tok, err := Open(testdata + "small-gpt2"); err != nil || tok.Count("a") != 1 {
		t.Errorf("Open(folder) = %v, %v", tok, err)
	}
}
