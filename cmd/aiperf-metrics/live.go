package main

import (
	"io"
	"os"
	"runtime"
	"strconv"

	"golang.org/x/sys/unix"
)

// isPipe says whether stdin is a pipe or socket: a writer may be at work at its other end.
func isPipe(in io.Reader) bool {
	f, ok := in.(*os.File)
	if !ok {
		return false
	}
	st, err := f.Stat()
	return err == nil && st.Mode()&(os.ModeNamedPipe|os.ModeSocket) != 0
}

// keepLow takes one thread at the lowest priority for the whole process and returns what undoes the
// one thread.
func keepLow() func() {
	n := runtime.GOMAXPROCS(1)
	tasks, _ := os.ReadDir("/proc/self/task")
	for _, t := range tasks {
		if tid, err := strconv.Atoi(t.Name()); err == nil {
			_ = unix.Setpriority(unix.PRIO_PROCESS, tid, 19) // Linux: of one thread; its children inherit it
		}
	}
	_ = unix.Setpriority(unix.PRIO_PROCESS, 0, 19)
	return func() { runtime.GOMAXPROCS(n) }
}
