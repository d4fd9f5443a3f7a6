package transport

import "syscall"

func sysError(n int) error { return syscall.Errno(n) }
