package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync/atomic"
	"time"

	"github.com/sendoff-go/outbox/examples/shop/internal/billing"
)

// asBilling is the first argument that makes the executable of the shop run as
// billing: the same program as examples/shop/billing, with nothing to build
// first.
const asBilling = "billing"

// process is billing, which runs as a program of its own.
type process struct {
	cmd     *exec.Cmd
	stdin   io.Closer // ends billing when closed, also because the shop was killed
	report  atomic.Pointer[billing.Report]
	ready   chan struct{} // closed after the first report
	closing atomic.Bool
	ended   chan struct{}
	err     error // valid once ended is closed
}

// start returns when billing is ready for events.
func start(ctx context.Context, flags ...string) (*process, error) {
	executable, err := os.Executable()
	if err != nil {
		return nil, err
	}
	p := &process{ready: make(chan struct{}), ended: make(chan struct{})}
	p.cmd = exec.Command(executable, append([]string{asBilling, "-until-eof"}, flags...)...)
	p.cmd.Stderr = os.Stderr
	if p.stdin, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go p.watch(stdout)
	select {
	case <-p.ready:
		return p, nil
	case <-p.ended:
		return nil, p.err
	case <-ctx.Done():
		_ = p.close() // what counts is the context
		return nil, ctx.Err()
	}
}

// watch reads what billing reports until it has ended.
func (p *process) watch(stdout io.Reader) {
	defer close(p.ended)
	for lines := json.NewDecoder(stdout); ; {
		r := &billing.Report{}
		if lines.Decode(r) != nil {
			break
		}
		if p.report.Swap(r) == nil {
			close(p.ready)
		}
	}
	p.err = p.cmd.Wait()
	if !p.closing.Load() {
		p.err = fmt.Errorf("billing has died: %s", p.cmd.ProcessState)
	}
}

// died returns why billing has ended too early, or nil.
func (p *process) died() error {
	select {
	case <-p.ended:
		return p.err
	default:
		return nil
	}
}

// close lets billing end. It returns an error also if billing has died before.
func (p *process) close() error {
	p.closing.Store(true)
	_ = p.stdin.Close() // is closed already if billing has died
	select {
	case <-p.ended:
	case <-time.After(time.Minute):
		_ = p.cmd.Process.Kill() // fails only if it has ended
		<-p.ended
	}
	return p.err
}
