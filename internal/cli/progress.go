package cli

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/term"
)

// A Progress shows how far long work has come, on stderr: a line that is redrawn on a terminal, a
// line now and then elsewhere.
type Progress struct {
	w     io.Writer
	name  string
	tty   bool
	quiet bool
	every time.Duration
	mu    sync.Mutex
	last  time.Time
	drawn bool
}

// NewProgress returns a Progress for env; quiet says nothing at all.
func NewProgress(env *Env, quiet bool) *Progress {
	p := &Progress{w: env.Stderr, name: env.name, quiet: quiet, every: 10 * time.Second, last: time.Now()}
	if f, ok := env.Stderr.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		p.tty, p.every = true, 200*time.Millisecond
	}
	return p
}

// Show writes the text when it is time to.
func (p *Progress) Show(text func() string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.quiet || time.Since(p.last) < p.every {
		return
	}
	p.last = time.Now()
	if p.tty {
		fmt.Fprintf(p.w, "\r\x1b[K%s: %s", p.name, text())
		p.drawn = true
		return
	}
	fmt.Fprintf(p.w, "%s: %s\n", p.name, text())
}

// Done ends the redrawn line and, with a text, says it as the last word.
func (p *Progress) Done(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.drawn {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.drawn = false
	}
	if !p.quiet && text != "" {
		fmt.Fprintf(p.w, "%s: %s\n", p.name, text)
	}
}
