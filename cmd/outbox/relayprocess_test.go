package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/internal/await"
	"github.com/sendoff-go/outbox/internal/testenv"
)

// daemonProcess is `outbox relay` in a process of its own.
type daemonProcess struct {
	t    *testing.T
	cmd  *exec.Cmd
	addr string // of its health
	done chan struct{}

	mu  sync.Mutex
	log bytes.Buffer
}

// Write takes the process's log.
func (p *daemonProcess) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.log.Write(b)
}

func (p *daemonProcess) text() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.log.String()
}

// startDaemon starts one that sends all events to hook. Its limits are longer
// than a machine stands still, unless the environment says otherwise.
func startDaemon(t *testing.T, database, hook string, env ...string) *daemonProcess {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := &daemonProcess{t: t, addr: testenv.Address(t), done: make(chan struct{})}
	file := filepath.Join(t.TempDir(), "outbox.yaml")
	yaml := fmt.Sprintf(`
outbox:
  lease: 1m
  drain-timeout: 10m
  database: {url: %q}
  admin: {addr: %q}
  publisher:
    sender: {type: http, url: %q, request-timeout: 10m}
    defaults: {fixed-delay: 20ms}
    events: {"*": {}}
`, database, p.addr, hook)
	if err := os.WriteFile(file, []byte(yaml), 0o600); err != nil {
		t.Fatal(err)
	}
	p.cmd = exec.Command(exe, "relay", "--config", file)
	p.cmd.Args[0] = "outbox" // by which the test binary is the program
	p.cmd.Env = append(os.Environ(), env...)
	p.cmd.Stderr = p
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = p.cmd.Wait() // the exit code says it
		close(p.done)
	}()
	t.Cleanup(func() {
		_ = p.cmd.Process.Kill() // it may have ended
		<-p.done
	})
	return p
}

func (p *daemonProcess) signal(s os.Signal) {
	p.t.Helper()
	if err := p.cmd.Process.Signal(s); err != nil {
		p.t.Fatal(err)
	}
}

// ended is how the process ended, as the shell would tell it.
func (p *daemonProcess) ended() int {
	p.t.Helper()
	select {
	case <-p.done:
	case <-time.After(patience):
		p.t.Fatalf("it does not end\n%s", p.text())
	}
	if status, ok := p.cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return p.cmd.ProcessState.ExitCode()
}

// ready is the answer of /readyz; 0 if there is none.
func (p *daemonProcess) ready() (int, string) {
	resp, err := http.Get("http://" + p.addr + "/readyz")
	if err != nil {
		return 0, ""
	}
	defer func() { _ = resp.Body.Close() }()
	body, _ := io.ReadAll(resp.Body)
	return resp.StatusCode, string(body)
}

// awaitReady waits for a status of /readyz.
func (p *daemonProcess) awaitReady(status int) {
	p.t.Helper()
	eventually(p.t, fmt.Sprintf("/readyz answers %d", status), func() bool { got, _ := p.ready(); return got == status }, p.text)
}

// awaitShutdown waits until /readyz tells of the shutdown.
func (p *daemonProcess) awaitShutdown() {
	p.t.Helper()
	eventually(p.t, "/readyz tells of the shutdown", func() bool {
		got, text := p.ready()
		return got == http.StatusServiceUnavailable && text == "shutting down\n"
	}, p.text)
}

// patience is how long something may take that must come.
const patience = 5 * time.Minute

func eventually(t *testing.T, what string, ok func() bool, more func() string) {
	t.Helper()
	await.Within(t, patience, what, ok, more)
}

// webhook counts requests by event id; before holds them, if set.
type webhook struct {
	*httptest.Server
	before func()

	mu  sync.Mutex
	ids map[string]int
}

func newWebhook(t *testing.T, before func()) *webhook {
	t.Helper()
	h := &webhook{ids: map[string]int{}, before: before}
	h.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			return
		}
		_, _ = io.Copy(io.Discard, r.Body)
		if h.before != nil {
			h.before()
		}
		h.mu.Lock()
		defer h.mu.Unlock()
		h.ids[r.Header.Get("ce-id")]++
	}))
	t.Cleanup(h.Close)
	return h
}

func (h *webhook) counts() (distinct, requests int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, n := range h.ids {
		requests += n
	}
	return len(h.ids), requests
}
