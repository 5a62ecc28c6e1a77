//go:build unix

package main

import (
	"io"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// A terminal sends the interrupt to the whole process group, billing included.
func TestAnInterruptOfBothProgramsIsProved(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			s := sellingShop(t, func(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} })
			if err := syscall.Kill(-s.Process.Pid, signal); err != nil {
				t.Fatal(err)
			}
			out, err := io.ReadAll(s.stdout)
			if err != nil {
				t.Fatal(err)
			}
			if said, err := s.bothEnded(t), s.Wait(); err != nil || strings.Count(string(out), "proved ") != 2 {
				t.Errorf("%v, want 2 proofs:\n%s%s", err, out, said)
			}
		})
	}
}
