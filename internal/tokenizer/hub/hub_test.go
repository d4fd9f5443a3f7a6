package hub

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func env(m map[string]string) func(string) string { return func(k string) string { return m[k] } }

func TestFileIsFetchedOnceAndThenComesFromTheCache(t *testing.T) {
	calls := 0
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls++
		if r.URL.Path != "/org/name/resolve/main/tokenizer.json" || r.Header.Get("Authorization") != "Bearer secret" {
			t.Errorf("asked for %s with %q", r.URL.Path, r.Header.Get("Authorization"))
		}
		w.Header().Set("X-Repo-Commit", "abc123")
		w.Write([]byte("{}"))
	}))
	defer srv.Close()
	home := t.TempDir()
	vars := map[string]string{"HF_HOME": home, "HF_ENDPOINT": srv.URL + "/", "HF_TOKEN": "secret"}
	for range 2 {
		p, err := FromEnv(env(vars)).File("org/name", "", "tokenizer.json")
		if err != nil {
			t.Fatal(err)
		}
		if want := filepath.Join(home, "hub/models--org--name/snapshots/abc123/tokenizer.json"); p != want {
			t.Errorf("path %s, want %s", p, want)
		}
	}
	if calls != 1 {
		t.Errorf("%d downloads, want 1", calls)
	}
	vars["HF_HUB_OFFLINE"] = "1"
	if _, err := FromEnv(env(vars)).File("org/name", "main", "tokenizer.json"); err != nil {
		t.Errorf("offline, in the cache: %v", err)
	}
}

func TestOfflineNeverAsksTheNetwork(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("asked") }))
	defer srv.Close()
	for _, k := range []string{"HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"} {
		h := FromEnv(env(map[string]string{"HF_HOME": t.TempDir(), "HF_ENDPOINT": srv.URL, k: "1"}))
		if _, err := h.File("org/missing", "", "tokenizer.json"); !errors.Is(err, ErrNotFound) {
			t.Errorf("%s: %v, want not found", k, err)
		}
	}
}

func TestWhatTheHubRefusesIsSaid(t *testing.T) {
	for code, want := range map[int]string{401: "HF_TOKEN", 403: "HF_TOKEN", 404: "not found", 500: "500"} {
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }))
		_, err := FromEnv(env(map[string]string{"HF_HOME": t.TempDir(), "HF_ENDPOINT": srv.URL})).File("o/n", "", "f")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%d: %v, want it to say %q", code, err, want)
		}
		srv.Close()
	}
}

func TestACutDownloadLeavesNothing(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		w.Write([]byte("short"))
	}))
	defer srv.Close()
	home := t.TempDir()
	if _, err := FromEnv(env(map[string]string{"HF_HOME": home, "HF_ENDPOINT": srv.URL})).File("o/n", "", "f"); err == nil {
		t.Error("no error")
	}
	filepath.WalkDir(home, func(p string, d os.DirEntry, _ error) error {
		if !d.IsDir() {
			t.Errorf("left %s", p)
		}
		return nil
	})
}

func TestRepositoryNames(t *testing.T) {
	for name, want := range map[string]bool{
		"gpt2": true, "meta-llama/Llama-3.1-8B": true, "../etc": false, "a/b/c": false, "": false, "a/..": false, "a b": false, "./x": false,
	} {
		if got := ValidRepo(name); got != want {
			t.Errorf("ValidRepo(%q) = %v, want %v", name, got, want)
		}
	}
}
