package tokenizer

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"aiperf/internal/tokenizer/hf"
	"aiperf/internal/tokenizer/hub"
)

// A Finder looks for the tokenizer of a model: on disk, in the Hugging Face cache, on the hub.
type Finder struct {
	Revision string              // branch, tag or commit of a hub repository; "" is main
	Getenv   func(string) string // HF_HOME, HF_ENDPOINT, HF_TOKEN, HF_HUB_OFFLINE, ...; nil: an empty environment, offline
	Say      func(string)        // is told of a download before it begins; nil: nobody
}

// For returns the tokenizer of the name a user typed, or the model's own where none was typed.
func (f Finder) For(typed, model string) (*Tokenizer, error) {
	if typed == "" {
		return f.OfModel(model), nil
	}
	return f.Typed(typed)
}

// Typed returns the tokenizer a user asked for by name: builtin, a tiktoken encoding, a path to a
// tokenizer.json or the folder of one, or a repository of the hub. What cannot be had is an *Error.
func (f Finder) Typed(name string) (*Tokenizer, error) {
	t, err := f.find(name)
	if err == nil && t == nil {
		return f.fetch(name)
	}
	return t, err
}

// OfModel returns the tokenizer of a model by its name, and builtin with a Note where it cannot be had.
// Only a name with an owner (org/name) is asked of the hub: any other is a server's own name for its
// model, which somebody else's repository may have too.
func (f Finder) OfModel(model string) *Tokenizer {
	if placeholder(model) {
		return standIn("the model name %q says nothing of a tokenizer", model)
	}
	t, err := f.find(model)
	if err == nil && t == nil {
		if !strings.Contains(model, "/") && !f.cached(model) {
			return standIn("no tokenizer found for %q on this machine", model)
		}
		t, err = f.fetch(model)
	}
	var e *Error
	if errors.As(err, &e) {
		return standIn("no tokenizer found for %q: %s", model, e.Why)
	}
	return t
}

func standIn(format string, args ...any) *Tokenizer {
	return &Tokenizer{encodings["o200k_base"], fmt.Sprintf(format, args...) + ": counting with builtin (o200k_base)"}
}

// find looks without the hub; nil, nil: name can only be a repository.
func (f Finder) find(name string) (*Tokenizer, error) {
	if name == "" || name == Builtin {
		return f.unversioned(&Tokenizer{coder: encodings["o200k_base"]}, name)
	}
	if e, ok := encodings[name]; ok {
		return f.unversioned(&Tokenizer{coder: e}, name)
	}
	path := name
	if rest, ok := strings.CutPrefix(name, "~/"); ok && f.Getenv != nil {
		path = filepath.Join(f.Getenv("HOME"), rest)
	}
	if !isPath(name) {
		return nil, nil
	}
	t, err := load(path, name)
	if err != nil {
		return nil, err
	}
	return f.unversioned(t, name)
}

// unversioned refuses a revision of what has none.
func (f Finder) unversioned(t *Tokenizer, name string) (*Tokenizer, error) {
	if f.Revision != "" && f.Revision != "main" {
		return nil, &Error{Name: name, Why: fmt.Sprintf("only a repository of the hub has revisions such as %q", f.Revision)}
	}
	return t, nil
}

func isPath(name string) bool {
	if strings.HasPrefix(name, ".") || strings.HasPrefix(name, "~") || filepath.IsAbs(name) || strings.HasSuffix(name, ".json") {
		return true
	}
	_, err := os.Stat(filepath.Join(name, "tokenizer.json"))
	return err == nil
}

// load reads a tokenizer.json, or the one in a folder.
func load(path, name string) (*Tokenizer, error) {
	t, err := hf.Load(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &Error{Name: name, Why: fmt.Sprintf("there is no tokenizer.json at %s", path), Err: err,
			What: "give builtin, a tiktoken encoding (" + strings.Join(Names(), ", ") + "), a folder or a model of the hub"}
	}
	if err != nil {
		return nil, &Error{Name: name, Why: err.Error(), Err: err, What: "give --tokenizer builtin, or --use-server-token-count where the server counts"}
	}
	return &Tokenizer{coder: named{t, name}}, nil
}

// fetch takes a repository's files from the cache, or from the hub.
func (f Finder) fetch(name string) (*Tokenizer, error) {
	h := f.hub()
	if !hub.ValidRepo(name) {
		return nil, &Error{Name: name, Why: "is neither a known encoding, nor a path, nor a repository name such as org/name"}
	}
	if !f.cached(name) && !h.Offline && f.Say != nil {
		f.Say(fmt.Sprintf("fetching the tokenizer of %s from %s", name, h.Endpoint))
	}
	path, err := h.File(name, f.Revision, file)
	if err != nil {
		return nil, &Error{Name: name, Why: err.Error(), Err: err, absent: true,
			What: "give --tokenizer builtin or the folder of a tokenizer.json; HF_ENDPOINT, HF_TOKEN and HF_HOME say where repositories come from"}
	}
	_, _ = h.File(name, f.Revision, "tokenizer_config.json") // names BOS and EOS; not every repository has one
	shown := name
	if f.Revision != "" && f.Revision != "main" {
		shown += "@" + f.Revision
	}
	return load(path, shown)
}

const file = "tokenizer.json"

func (f Finder) cached(name string) bool {
	return hub.ValidRepo(name) && f.hub().Cached(name, f.Revision, file)
}

func (f Finder) hub() *hub.Hub {
	if f.Getenv == nil {
		return &hub.Hub{Offline: true}
	}
	return hub.FromEnv(f.Getenv)
}

// placeholder knows names that stand for no model in particular.
func placeholder(model string) bool {
	if strings.Contains(model, "/") || strings.HasPrefix(model, ".") || strings.HasPrefix(model, "~") {
		return false
	}
	m := strings.ToLower(model)
	switch m {
	case "test", "mock", "fake", "dummy", "example", "sample", "placeholder":
		return true
	}
	for _, part := range []string{"mock-", "-mock", "fake-", "-fake", "test-model", "your-model", "my-model", "model-name", "model-id"} {
		if strings.Contains(m, part) {
			return true
		}
	}
	return false
}

// named is a tokenizer.json by the name it was asked for.
type named struct {
	*hf.Tokenizer
	name string
}

// Name is as asked for: a path, or a repository and, where it is not main, its revision.
func (n named) Name() string { return n.name }
