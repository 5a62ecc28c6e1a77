package deploytest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox/internal/testenv"
)

// verdict returns what systemd-analyze verify says about a unit that stands
// beside the machine's own, with the command that it starts in its place.
func verdict(t *testing.T, unit string) string {
	t.Helper()
	machine := t.TempDir()
	write(t, filepath.Join(machine, "usr/local/bin/outbox"), []byte("#!/bin/sh\n"), 0o755)
	write(t, filepath.Join(machine, "etc/systemd/system/outbox.service"), []byte(unit), 0o644)
	if err := os.CopyFS(filepath.Join(machine, "usr/lib/systemd/system"), os.DirFS("/usr/lib/systemd/system")); err != nil {
		t.Fatal(err)
	}
	// It only warns of a line that it does not understand.
	said, err := exec.CommandContext(t.Context(), "systemd-analyze", "--root="+machine, "verify", "outbox.service").CombinedOutput()
	if err != nil && len(said) == 0 {
		t.Fatal(err)
	}
	return string(said)
}

func TestSystemdTakesTheUnit(t *testing.T) {
	needSystemd(t)
	unit := content(t, "deploy/outbox.service")
	if said := verdict(t, unit); said != "" {
		t.Error(said)
	}
	for _, mistake := range []struct{ right, wrong string }{
		{"ProtectHome=", "ProtectHme="},
		{"Restart=on-failure", "Restart=perhaps"},
		{"ExecStart=/usr/local/bin/outbox", "ExecStart=/usr/local/bin/outboxd"},
		{"SystemCallFilter=@system-service", "SystemCallFilter=@sistem-service"},
		{"TimeoutStopSec=15", "TimeoutStopSec=long"},
	} {
		if said := verdict(t, spoiled(t, unit, mistake.right, mistake.wrong)); !strings.Contains(said, "outbox.service") {
			t.Errorf("it takes %s: %q", mistake.wrong, said)
		}
	}
}

// The scale of systemd-analyze security ends at 10; below 2.0 the unit has given
// up nearly all that a service can.
func TestTheUnitGivesUpWhatItDoesNotNeed(t *testing.T) {
	needSystemd(t)
	judge := func(unit string) error {
		file := filepath.Join(t.TempDir(), "outbox.service")
		write(t, file, []byte(unit), 0o644)
		said, err := exec.CommandContext(t.Context(), "systemd-analyze", "security", "--offline=true", "--threshold=20", file).CombinedOutput()
		t.Logf("%s", said[strings.LastIndex(string(said), "\n→")+1:])
		return err
	}
	unit := content(t, "deploy/outbox.service")
	if err := judge(unit); err != nil {
		t.Error(err)
	}
	if judge(spoiled(t, unit, "CapabilityBoundingSet=\n", "")) == nil {
		t.Error("it does not notice that the capabilities are back")
	}
}

func needSystemd(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("systemd-analyze"); err != nil {
		const how = "systemd-analyze is not installed, so deploy/outbox.service was not checked (on Debian: apt-get install systemd)"
		if testenv.Require() {
			t.Fatal(how)
		}
		t.Skip(how)
	}
}
