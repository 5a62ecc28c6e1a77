//go:build !race

package e2e

import (
	"bytes"
	"os"
	"os/exec"
	"sync"
)

// process is a program that runs, and what it logged.
type process struct {
	cmd  *exec.Cmd
	done chan struct{}
	log  *tail
}

// startProcess starts a program. The caller must kill it; if the test itself is
// killed, the system does.
func startProcess(log *tail, env []string, name string, args ...string) (*process, error) {
	p := &process{cmd: exec.Command(name, args...), done: make(chan struct{}), log: log}
	p.cmd.Env = append(os.Environ(), env...)
	p.cmd.Stdout, p.cmd.Stderr = log, log
	dieWithParent(p.cmd)
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		_ = p.cmd.Wait() // the exit code says it
		close(p.done)
	}()
	return p, nil
}

// kill ends the process with SIGKILL, and returns when it has ended.
func (p *process) kill() {
	_ = p.cmd.Process.Kill() // it may have ended
	<-p.done
}

// running reports whether the process has not ended by itself.
func (p *process) running() bool {
	select {
	case <-p.done:
		return false
	default:
		return true
	}
}

// tail keeps the end of a log.
type tail struct {
	mu  sync.Mutex
	end bytes.Buffer
}

const tailBytes = 16 << 10

func (l *tail) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.end.Write(b)
	if extra := l.end.Len() - tailBytes; extra > tailBytes {
		l.end.Next(extra)
	}
	return len(b), nil
}

func (l *tail) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.end.String()
}
