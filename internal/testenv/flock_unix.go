//go:build unix

package testenv

import (
	"errors"
	"os"
	"syscall"
)

func flock(f *os.File, mode lockMode) error {
	how := syscall.LOCK_SH
	if mode == exclusive {
		how = syscall.LOCK_EX
	}
	for {
		err := syscall.Flock(int(f.Fd()), how)
		if !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}
