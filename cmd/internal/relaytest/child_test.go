package relaytest_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/internal/await"
	"github.com/sendoff-go/outbox/observe"
	"github.com/sendoff-go/outbox/relay"
)

// childURL is the variable with the database of a child: this test program,
// started again as a relay of its own. The child says on its standard output
// what it does, one word and its arguments a line.
const childURL = "OUTBOX_RELAY_CHILD"

// childLease is the variable with its lease.
const childLease = "OUTBOX_RELAY_CHILD_LEASE"

// Events that a child treats specially; it just delivers the rest.
const (
	poison = "A-000500" // ends the process
	held   = "A-000000" // runs until a line comes on the standard input
)

const poisoned = 3 // the exit code

// childMain runs a relay until SIGTERM.
func childMain(url string) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	h, err := dburl.Open(ctx, []dburl.Driver{dburl.PGX()}, url, dburl.Options{ConnectTimeout: patience, StatementTimeout: time.Minute})
	if err != nil {
		return err
	}
	cfg := childConfig
	if cfg.Lease, err = time.ParseDuration(os.Getenv(childLease)); err != nil {
		return err
	}
	reg := outbox.NewRegistry()
	reg.Handle("A", func(_ context.Context, e outbox.Event) error {
		say("run %s", e.ID)
		switch e.ID {
		case poison:
			os.Exit(poisoned)
		case held:
			_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
		}
		return nil
	})
	reg.Handle(large, new(scales).Handle)
	cfg.Lanes = map[string]relay.LaneConfig{large: asDefault}
	cfg.Logger = quietLog()
	cfg.Hooks.Renewed = func(i observe.StatementInfo) { say("renewed %d", i.Rows) }
	cfg.Hooks.Settled = func(i observe.StatementInfo) { say("settled %d stale %d", i.Rows, i.Stale) }
	r, err := relay.New(h.Store, reg, cfg)
	if err != nil {
		return err
	}
	return errors.Join(r.Run(ctx), h.Close())
}

// childConfig claims more rows than it runs.
var childConfig = relay.Config{DrainTimeout: 2 * time.Minute, Lane: relay.LaneConfig{
	Workers: 1, ColdQueue: 100, Interval: 100 * time.Millisecond}}

func say(format string, args ...any) {
	_, _ = os.Stdout.WriteString(fmt.Sprintf(format, args...) + "\n")
}

// child is a relay in another process, and what it said so far.
type child struct {
	cmd    *exec.Cmd
	stdin  func(line string)
	exited chan struct{}

	mu   sync.Mutex
	said []string
	more chan struct{} // closed at the next line
}

// ofChildren marks the sessions of children in the database.
const ofChildren = "relay-child"

// startChild starts one. What it leaves when it is killed is free once its lease
// is over, or with expire.
func startChild(t *testing.T, address string, lease time.Duration) *child {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	query := u.Query()
	query.Set("application_name", ofChildren)
	u.RawQuery = query.Encode()
	c := &child{cmd: exec.Command(os.Args[0]), exited: make(chan struct{}), more: make(chan struct{})}
	c.cmd.Env = append(os.Environ(), childURL+"="+u.String(), childLease+"="+lease.String())
	c.cmd.Stderr = os.Stderr
	stdin, err := c.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	c.stdin = func(line string) { _, _ = stdin.Write([]byte(line + "\n")) }
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(c.exited)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			c.mu.Lock()
			c.said = append(c.said, lines.Text())
			close(c.more)
			c.more = make(chan struct{})
			c.mu.Unlock()
		}
		_ = c.cmd.Wait() // the exit code says how it ended
	}()
	t.Cleanup(func() {
		_ = c.cmd.Process.Kill()
		<-c.exited
	})
	return c
}

// expire lets the leases of processes run out when all have ended. The server may
// carry out a claim after the death of the process that sent it, so it first waits
// for the end of their sessions.
func expire(t *testing.T, h *dburl.Handle) {
	t.Helper()
	await.Until(t, "the sessions of the children are over", func() bool {
		n, err := h.Text(t.Context(), "SELECT count(*)::text FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1", ofChildren)
		if err != nil {
			t.Fatal(err)
		}
		return n == "0"
	})
	if err := h.Exec(t.Context(), "UPDATE outbox_event SET locked_until = now() WHERE locked_by IS NOT NULL"); err != nil {
		t.Fatal(err)
	}
}

func (c *child) lines() ([]string, <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.said[:len(c.said):len(c.said)], c.more
}

// ran lists the events that the child started, in order.
func (c *child) ran() (ids []string) {
	lines, _ := c.lines()
	for _, line := range lines {
		if id, ok := strings.CutPrefix(line, "run "); ok {
			ids = append(ids, id)
		}
	}
	return ids
}

// await waits until the child has said something, after that many lines, and
// returns how many it has said then.
func (c *child) await(t *testing.T, after int, what string) int {
	t.Helper()
	deadline := time.After(patience)
	for {
		lines, more := c.lines()
		for i := after; i < len(lines); i++ {
			if strings.HasPrefix(lines[i], what) {
				return i + 1
			}
		}
		select {
		case <-more:
		case <-c.exited:
			t.Fatalf("the child ended before it said %q: %q", what, lines)
		case <-deadline:
			t.Fatalf("the child did not say %q: %q", what, lines)
		}
	}
}

func (c *child) signal(t *testing.T, s os.Signal) {
	t.Helper()
	if err := c.cmd.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
}

// end asks the child to shut down, and returns its exit code.
func (c *child) end(t *testing.T) int {
	t.Helper()
	c.signal(t, syscall.SIGTERM)
	<-c.exited
	return c.cmd.ProcessState.ExitCode()
}
