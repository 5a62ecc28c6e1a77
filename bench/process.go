package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
)

// process is a worker as its boss sees it.
type process struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *json.Decoder
	kind string
}

// startProcess runs this program again as a worker and returns when that is
// ready. It ends with ctx.
func startProcess(ctx context.Context, kind string, task any) (*process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(task)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, self, workerCommand, kind)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &process{cmd: cmd, in: in, out: json.NewDecoder(out), kind: kind}
	if err := p.begin(string(text)); err != nil {
		p.kill()
		return nil, err
	}
	return p, nil
}

// begin gives it its task and returns when it is ready.
func (p *process) begin(task string) error {
	if err := p.tell(task); err != nil {
		return err
	}
	m, err := p.hear()
	if err == nil && !m.Ready {
		err = fmt.Errorf("the %s process did not say that it is ready", p.kind)
	}
	return err
}

func (p *process) tell(word string) error {
	_, err := io.WriteString(p.in, word+"\n")
	return err
}

// hear returns the next message of the process.
func (p *process) hear() (workerMessage, error) {
	var m workerMessage
	if err := p.out.Decode(&m); err != nil {
		return m, fmt.Errorf("the %s process ended early: %w", p.kind, err)
	}
	if m.Error != "" {
		return m, fmt.Errorf("the %s process: %s", p.kind, m.Error)
	}
	return m, nil
}

// report hears what it says up to its report, passes on how many events it
// settled, and waits for its end.
func (p *process) report(to any, settled func(n int)) error {
	for {
		m, err := p.hear()
		if err != nil {
			p.kill()
			return err
		}
		if m.Settled > 0 && settled != nil {
			settled(m.Settled)
		}
		if m.Report != nil {
			return errors.Join(json.Unmarshal(m.Report, to), p.cmd.Wait())
		}
	}
}

func (p *process) kill() {
	_ = p.cmd.Process.Kill() // it may have ended by itself
	_ = p.cmd.Wait()         // its exit status does not matter
}
