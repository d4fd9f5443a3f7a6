// Package stream moves lines between the tools: JSONL in and out, plain or compressed.
//
// Encodings are recognised by the first bytes of an input, never by its name. Lines of any length
// are read; memory grows with the longest line, not with the input.
package stream

import (
	"encoding/json"
	"fmt"
)

// A Line is one object of a stream: its kind, where it stands and its bytes without the line end.
// Data is valid until the next line is read; Clone keeps it.
type Line struct {
	Kind string // "" when the object has none and is none of AIPerf's own
	File string // as named on the command line; "<stdin>" for stdin
	Num  int    // line number in File from 1; 1 for a whole-file document
	Data []byte
}

// Clone returns l with Data of its own.
func (l Line) Clone() Line {
	l.Data = append([]byte(nil), l.Data...)
	return l
}

// Errorf returns an error that names the line: "records.jsonl:17: ...", exit code 65.
func (l Line) Errorf(format string, args ...any) error {
	return &LineError{File: l.File, Num: l.Num, Err: fmt.Errorf(format, args...)}
}

// Decode reads the line into v; what does not parse is an error that names the line, exit code 65.
func (l Line) Decode(v any) error {
	if err := json.Unmarshal(l.Data, v); err != nil {
		if l.Kind == "" {
			return l.Errorf("%w", err)
		}
		return l.Errorf("%s: %w", l.Kind, err)
	}
	return nil
}

// A LineError is a line that does not parse or validate.
type LineError struct {
	File string
	Num  int
	Err  error
}

func (e *LineError) Error() string { return fmt.Sprintf("%s:%d: %v", e.File, e.Num, e.Err) }
func (e *LineError) Unwrap() error { return e.Err }

// ExitCode is EX_DATAERR.
func (e *LineError) ExitCode() int { return 65 }

// An OpenError is an input that cannot be opened.
type OpenError struct{ Err error }

func (e *OpenError) Error() string { return e.Err.Error() }
func (e *OpenError) Unwrap() error { return e.Err }

// ExitCode is EX_NOINPUT.
func (e *OpenError) ExitCode() int { return 66 }

// An IOError is an input or output that failed midway.
type IOError struct {
	Name string
	Err  error
}

func (e *IOError) Error() string { return fmt.Sprintf("%s: %v", e.Name, e.Err) }
func (e *IOError) Unwrap() error { return e.Err }

// ExitCode is EX_IOERR.
func (e *IOError) ExitCode() int { return 74 }
