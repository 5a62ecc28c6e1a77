package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// writing is a line of a demo that has written something.
const writing = `written [1-9]`

// lines reads a stream until one matches.
func lines(t *testing.T, r io.Reader, until string) {
	t.Helper()
	match := regexp.MustCompile(until)
	in := bufio.NewScanner(r)
	for in.Scan() {
		if match.MatchString(in.Text()) {
			go func() { _, _ = io.Copy(io.Discard, r) }() // the writer must not block
			return
		}
	}
	t.Fatalf("%q never came", until)
}

// canceller cancels when what is written matches, before the writer can go on.
type canceller struct {
	when   *regexp.Regexp
	cancel context.CancelFunc
}

func (c *canceller) Write(p []byte) (int, error) {
	if c.when.Match(p) {
		c.cancel()
	}
	return len(p), nil
}

// interrupted runs the program in this process, cancels it when its progress
// says so, and returns its exit code and the last line of standard output.
func interrupted(t *testing.T, when string, args ...string) (int, map[string]any) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var out strings.Builder
	got := run(ctx, args, strings.NewReader(""), &out, &canceller{when: regexp.MustCompile(when), cancel: cancel})
	if ctx.Err() == nil {
		t.Fatalf("%q never came", when)
	}
	var result map[string]any
	if err := json.Unmarshal([]byte(out.String()), &result); err != nil {
		t.Fatalf("standard output is %q: %v", out.String(), err)
	}
	return got, result
}

func TestAnInterruptedDemoStillDeliversAndSums(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	code, sum := interrupted(t, writing, "demo", "--for", "1h", "-o", "json")
	if code != exitInterrupted {
		t.Errorf("exit code %d, want %d", code, exitInterrupted)
	}
	if sum["written"].(float64) == 0 || sum["lost"].(float64) != 0 || sum["waiting"].(float64) != 0 {
		t.Errorf("got %v", sum)
	}
	if left, _ := filepath.Glob(filepath.Join(tmp, "*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestAnInterruptedBenchmarkStillSums(t *testing.T) {
	file := filepath.ToSlash(filepath.Join(t.TempDir(), "bench.db"))
	code, sum := interrupted(t, "Committing", "bench", "latency", "--database", "sqlite://"+file, "--rate", "1", "--events", "1000000", "-o", "json")
	if code != exitInterrupted || sum["lost"].(float64) != 0 || sum["waiting"].(float64) != 0 {
		t.Errorf("exit code %d: %v", code, sum)
	}
}

func TestAnInterruptedDrainTellsWhatIsLeft(t *testing.T) {
	file := filepath.ToSlash(filepath.Join(t.TempDir(), "bench.db"))
	code, sum := interrupted(t, "Draining", "bench", "drain", "--database", "sqlite://"+file, "--events", "200", "--queue", "1", "--workers", "1", "--batch", "1", "-o", "json")
	if code != exitInterrupted || sum["lost"].(float64) != 0 || sum["duplicates"].(float64) != 0 {
		t.Errorf("exit code %d: %v", code, sum)
	}
}

func TestCtrlCEndsTheProcessInGoodOrder(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), exe, "demo", "--for", "1h", "-o", "json")
			cmd.Args[0] = "outbox" // by which the test binary is the program
			progress, err := cmd.StderrPipe()
			if err != nil {
				t.Fatal(err)
			}
			var out strings.Builder
			cmd.Stdout = &out
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			in := bufio.NewReader(progress)
			lines(t, in, writing)
			if err := cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait() // the exit code says it
			if code := cmd.ProcessState.ExitCode(); code != exitInterrupted || !strings.Contains(out.String(), `"lost":0`) {
				t.Errorf("exit code %d: %s", code, out.String())
			}
		})
	}
}
