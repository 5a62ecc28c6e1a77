//go:build !race

package e2e

import (
	"os/exec"
	"syscall"
)

// dieWithParent makes the system kill the process if the test ends without a
// cleanup.
func dieWithParent(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
