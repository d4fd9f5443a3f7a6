// Package hub finds the files of a Hugging Face repository: a local folder, the library's cache, or
// the hub itself.
//
// The cache is laid out as the Python library lays it out:
//
//	$HF_HOME/hub/models--ORG--NAME/refs/REVISION          the commit that a branch or tag stands for
//	$HF_HOME/hub/models--ORG--NAME/snapshots/COMMIT/FILE
//
// A download goes to the same place, so both share one copy.
package hub

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A Hub says where to look. The zero value is of no use: take FromEnv.
type Hub struct {
	Cache    string // .../hub
	Endpoint string // https://huggingface.co
	Token    string
	Offline  bool
	Client   *http.Client
}

// Patience is how long the hub may take to be reached, and to begin an answer. Downloads that go on have
// five minutes.
const Patience = 5 * time.Second

var client = &http.Client{
	Timeout: 5 * time.Minute,
	Transport: &http.Transport{
		Proxy: http.ProxyFromEnvironment, DialContext: (&net.Dialer{Timeout: Patience}).DialContext, ForceAttemptHTTP2: true,
		TLSHandshakeTimeout: Patience, ResponseHeaderTimeout: Patience, IdleConnTimeout: time.Minute,
	},
}

// FromEnv reads HF_HOME, HF_HUB_CACHE, HF_ENDPOINT, HF_TOKEN, HF_HUB_OFFLINE and TRANSFORMERS_OFFLINE.
func FromEnv(getenv func(string) string) *Hub {
	h := &Hub{
		Cache:    getenv("HF_HUB_CACHE"),
		Endpoint: strings.TrimRight(getenv("HF_ENDPOINT"), "/"),
		Token:    getenv("HF_TOKEN"),
		Offline:  on(getenv("HF_HUB_OFFLINE")) || on(getenv("TRANSFORMERS_OFFLINE")),
		Client:   client,
	}
	if h.Cache == "" {
		home := getenv("HF_HOME")
		if home == "" {
			cache := getenv("XDG_CACHE_HOME")
			if cache == "" {
				cache = filepath.Join(getenv("HOME"), ".cache")
			}
			home = filepath.Join(cache, "huggingface")
		}
		h.Cache = filepath.Join(home, "hub")
	}
	if h.Endpoint == "" {
		h.Endpoint = "https://huggingface.co"
	}
	return h
}

func on(v string) bool {
	switch strings.ToUpper(v) {
	case "1", "ON", "YES", "TRUE":
		return true
	}
	return false
}

// ErrNotFound is returned, wrapped, when neither the cache nor the hub has the file.
var ErrNotFound = errors.New("not found")

// File returns the path of one file of the repository at the revision ("" is main). It is taken from
// the cache if it is there, else downloaded unless the hub is offline.
func (h *Hub) File(repo, revision, file string) (string, error) {
	if !ValidRepo(repo) {
		return "", fmt.Errorf("%q is not a repository name such as org/name", repo)
	}
	if revision == "" {
		revision = "main"
	}
	if p, ok := h.cached(repo, revision, file); ok {
		return p, nil
	}
	if h.Offline {
		return "", fmt.Errorf("%s of %s is not in the cache %s, and HF_HUB_OFFLINE forbids to fetch it: %w", file, repo, h.Cache, ErrNotFound)
	}
	return h.download(repo, revision, file)
}

// Cached reports whether the cache has the file.
func (h *Hub) Cached(repo, revision, file string) bool {
	if revision == "" {
		revision = "main"
	}
	_, ok := h.cached(repo, revision, file)
	return ok
}

// ValidRepo reports whether name can be a repository: one or two parts of letters, digits, '-', '_', '.'.
func ValidRepo(name string) bool {
	parts := strings.Split(name, "/")
	if len(parts) > 2 {
		return false
	}
	for _, p := range parts {
		if p == "" || p == "." || p == ".." || strings.Trim(p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") != "" {
			return false
		}
	}
	return true
}

func (h *Hub) folder(repo string) string {
	return filepath.Join(h.Cache, "models--"+strings.ReplaceAll(repo, "/", "--"))
}

func (h *Hub) cached(repo, revision, file string) (string, bool) {
	commit := revision
	if b, err := os.ReadFile(filepath.Join(h.folder(repo), "refs", revision)); err == nil {
		commit = strings.TrimSpace(string(b))
	}
	p := filepath.Join(h.folder(repo), "snapshots", commit, file)
	_, err := os.Stat(p)
	return p, err == nil
}

func (h *Hub) download(repo, revision, file string) (string, error) {
	u := h.Endpoint + "/" + repo + "/resolve/" + url.PathEscape(revision) + "/" + file
	req, err := http.NewRequest(http.MethodGet, u, nil)
	if err != nil {
		return "", err
	}
	if h.Token != "" {
		req.Header.Set("Authorization", "Bearer "+h.Token)
	}
	res, err := h.Client.Do(req)
	if err != nil {
		return "", fmt.Errorf("fetching %s: %w", u, err)
	}
	defer res.Body.Close()
	switch {
	case res.StatusCode == http.StatusNotFound:
		return "", fmt.Errorf("%s: %w", u, ErrNotFound)
	case res.StatusCode == http.StatusUnauthorized || res.StatusCode == http.StatusForbidden:
		return "", fmt.Errorf("%s: %s: a gated or private repository needs HF_TOKEN", u, res.Status)
	case res.StatusCode != http.StatusOK:
		return "", fmt.Errorf("%s: %s", u, res.Status)
	}
	commit := ""
	for r := res; r != nil && commit == ""; r = r.Request.Response { // a large file is elsewhere: the redirect to it names the commit
		commit = r.Header.Get("X-Repo-Commit")
	}
	if commit == "" || !ValidRepo(commit) {
		commit = revision
	}
	path := filepath.Join(h.folder(repo), "snapshots", commit, file)
	if err := store(path, res.Body, res.ContentLength); err != nil {
		return "", fmt.Errorf("storing %s: %w", path, err)
	}
	if commit != revision {
		ref := filepath.Join(h.folder(repo), "refs", revision)
		if err := store(ref, strings.NewReader(commit), int64(len(commit))); err != nil {
			return "", fmt.Errorf("storing %s: %w", ref, err)
		}
	}
	return path, nil
}

// store writes to a temporary name and renames, so that a cut download is never taken for the file.
func store(path string, r io.Reader, size int64) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".part-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	n, err := io.Copy(f, r)
	if err == nil && size >= 0 && n != size {
		err = io.ErrUnexpectedEOF
	}
	if err = errors.Join(err, f.Chmod(fs.FileMode(0o644)), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
