package e2e

import (
	"os/exec"
	"syscall"
)

// dieWithParent has the process killed when the test goes without a cleanup.
func dieWithParent(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
