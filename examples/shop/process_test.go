package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// asShop is the variable that makes the executable of the tests run as the shop.
const asShop = "OUTBOX_SHOP_MAIN"

var placed = regexp.MustCompile(`orders   ([1-9]\d*) placed`)

// killer kills billing once orders are placed, and cancels when more are placed
// without it.
type killer struct {
	bytes.Buffer
	t       *testing.T
	stop    context.CancelFunc
	killed  bool
	without string // what was placed when the shop noticed
}

func (k *killer) Write(b []byte) (int, error) {
	k.Buffer.Write(b)
	switch now := placed.FindSubmatch(b); {
	case now == nil:
	case !k.killed:
		k.killed = true
		k.kill()
	case !bytes.Contains(b, []byte("billing has died")):
	case k.without == "":
		k.without = string(now[1])
	case k.without != string(now[1]):
		k.stop()
	}
	return len(b), nil
}

func (k *killer) kill() {
	found := regexp.MustCompile(`billing  process (\d+)`).FindStringSubmatch(k.String())
	if found == nil {
		k.t.Error("the process of billing is not named")
		return
	}
	pid, err := strconv.Atoi(found[1])
	if err != nil {
		k.t.Error(err)
		return
	}
	if p, err := os.FindProcess(pid); err != nil || p.Kill() != nil {
		k.t.Errorf("process %d: %v", pid, err)
	}
}

func TestADeadBillingIsSaidAndItsInvoicesAreMissed(t *testing.T) {
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	out := &killer{t: t, stop: stop}
	err := run(ctx, quick(config{}), out)
	if err == nil || !strings.Contains(err.Error(), "billing has died: ") || !strings.Contains(err.Error(), " has 0 invoices, want 1") {
		t.Errorf("error %v, want the death and missing invoices\n%s", err, out)
	}
	if out.without == "" {
		t.Errorf("the shop did not say that billing had died:\n%s", out)
	}
}

func TestABillingThatCannotStartIsAnError(t *testing.T) {
	p, err := start(t.Context(), "-database", t.TempDir()+"/no/such/folder/billing.db")
	if err == nil {
		t.Fatal("it started", p.close())
	}
	if !strings.Contains(err.Error(), "billing has died: exit status 1") {
		t.Errorf("error %v", err)
	}
}

// shop is a shop in a process of its own.
type shop struct {
	*exec.Cmd
	stdout io.ReadCloser
	stderr *os.File // also billing's: it ends when both have
}

// sellingShop returns when orders are placed.
func sellingShop(t *testing.T, change func(*exec.Cmd)) *shop {
	t.Helper()
	stderr, theirs, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = stderr.Close() }) // nothing was written
	s := &shop{Cmd: exec.CommandContext(t.Context(), os.Args[0], "-rate", "50"), stderr: stderr}
	s.Env = append(os.Environ(), asShop+"=1", "TMPDIR="+t.TempDir())
	s.Stderr = theirs
	change(s.Cmd)
	if s.stdout, err = s.StdoutPipe(); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.Start(), theirs.Close()); err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(s.stdout); lines.Scan(); {
		if placed.Match(lines.Bytes()) {
			return s
		}
	}
	t.Fatalf("no order was placed: %v\n%s", s.Wait(), s.bothEnded(t))
	return nil
}

// bothEnded waits for the end of the shop and of billing, and returns what they
// said on standard error.
func (s *shop) bothEnded(t *testing.T) string {
	t.Helper()
	if err := s.stderr.SetReadDeadline(time.Now().Add(30 * time.Second)); err != nil {
		t.Fatal(err)
	}
	said, err := io.ReadAll(s.stderr)
	if err != nil {
		t.Errorf("billing still runs: %v", err)
	}
	return string(said)
}

func TestBillingEndsWithAShopThatIsKilled(t *testing.T) {
	s := sellingShop(t, func(*exec.Cmd) {})
	if err := s.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if said, err := s.bothEnded(t), s.Wait(); err == nil {
		t.Errorf("the shop ended by itself: %s", said)
	}
}
