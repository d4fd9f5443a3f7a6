package export

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// A Dir is an artifact directory. Files are written under a temporary name and get their own in
// Commit, so that a reader never sees half a file.
type Dir struct {
	Path   string
	Prefix string // of the export files; "" is AIPerf's names
	Force  bool   // write over another run's files
	files  []*File
}

// A File is one file that is being written.
type File struct {
	Name string // its name after Commit
	Type string // what the footer calls it; "" is not listed
	tmp  *os.File
	*bufio.Writer
}

// An OtherRunError says that the directory holds files of another run.
type OtherRunError struct{ File, Has string }

func (e *OtherRunError) Error() string {
	if e.Has == "" {
		return e.File + ": is a file of another run"
	}
	return fmt.Sprintf("%s: is a file of another run (%s)", e.File, e.Has)
}

// ExitCode is EX_USAGE.
func (e *OtherRunError) ExitCode() int { return 64 }

type ioError struct{ error }

func (e ioError) Unwrap() error { return e.error }
func (e ioError) ExitCode() int { return 74 }

// suffixes are what a user may have typed after the prefix.
var suffixes = []string{"_timeslices.json", "_timeslices.csv", "_raw.jsonl", "_console.txt",
	"_network_latency.jsonl", "_gpu_telemetry.jsonl", ".jsonl", ".json", ".csv", ".txt"}

// CleanPrefix strips a known suffix of an export file's name.
func CleanPrefix(p string) string {
	for _, s := range suffixes {
		if cut, ok := strings.CutSuffix(p, s); ok && cut != "" {
			return cut
		}
	}
	return p
}

// name returns the path of an export file: its own name, or the prefix with what follows it.
func (d *Dir) name(plain, suffix string) string {
	if d.Prefix != "" && suffix != "" {
		plain = d.Prefix + suffix
	}
	return filepath.Join(d.Path, plain)
}

// Claim makes the directory and refuses one that holds another run's files.
func (d *Dir) Claim(runID string) error {
	if err := os.MkdirAll(filepath.Dir(d.name("x", "x")), 0o777); err != nil {
		return ioError{err}
	}
	if d.Force {
		return nil
	}
	summary := d.name("profile_export_aiperf.json", ".json")
	if b, err := os.ReadFile(summary); err == nil {
		var v struct {
			ID string `json:"benchmark_id"`
		}
		_ = json.Unmarshal(b, &v)
		if v.ID != runID || runID == "" {
			return &OtherRunError{summary, v.ID}
		}
		return nil
	}
	for _, f := range []string{d.name("profile_export_aiperf.csv", ".csv"), d.name("profile_export.jsonl", ".jsonl")} {
		if _, err := os.Stat(f); err == nil {
			return &OtherRunError{File: f}
		}
	}
	return nil
}

// Create begins a file.
func (d *Dir) Create(kind, plain, suffix string) (*File, error) {
	name := d.name(plain, suffix)
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return nil, ioError{err}
	}
	tmp, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return nil, ioError{err}
	}
	_ = tmp.Chmod(0o644)
	f := &File{Name: name, Type: kind, tmp: tmp, Writer: bufio.NewWriterSize(tmp, 64<<10)}
	d.files = append(d.files, f)
	return f, nil
}

// Put writes a whole file.
func (d *Dir) Put(kind, plain, suffix string, data []byte) error {
	f, err := d.Create(kind, plain, suffix)
	if err != nil {
		return err
	}
	if _, err := f.Write(data); err != nil {
		return ioError{err}
	}
	return nil
}

// Commit gives every file its name.
func (d *Dir) Commit() error {
	for _, f := range d.files {
		if err := f.Flush(); err != nil {
			return ioError{err}
		}
		if err := f.tmp.Close(); err != nil {
			return ioError{err}
		}
	}
	for _, f := range d.files {
		if err := os.Rename(f.tmp.Name(), f.Name); err != nil {
			return ioError{err}
		}
		f.tmp = nil
	}
	return nil
}

// Abandon removes what was not committed.
func (d *Dir) Abandon() {
	for _, f := range d.files {
		if f.tmp != nil {
			f.tmp.Close()
			os.Remove(f.tmp.Name())
		}
	}
}

// Files returns the files that the footer lists.
func (d *Dir) Files() []*File {
	if d == nil {
		return nil
	}
	var out []*File
	for _, f := range d.files {
		if f.Type != "" {
			out = append(out, f)
		}
	}
	return out
}

// spool is a file without a name, for lines that are written again when more is known.
func spool(dir string) (*os.File, error) {
	f, err := os.CreateTemp(dir, ".spool.*")
	if err != nil {
		return nil, ioError{err}
	}
	if err := os.Remove(f.Name()); err != nil {
		f.Close()
		return nil, ioError{err}
	}
	return f, nil
}

var _ io.Writer = (*File)(nil)
