package main

import (
	"bytes"
	"os"
	"testing"
)

func TestColorsAreForTerminalsAlone(t *testing.T) {
	t.Setenv("NO_COLOR", "")
	t.Setenv("TERM", "xterm")
	for _, out := range []*app{{stdout: &bytes.Buffer{}}, {stdout: openNull(t)}} {
		if out.colored() {
			t.Errorf("%T is no terminal", out.stdout)
		}
	}
	if got := paint(true, red, "failure"); got != "\x1b[31mfailure\x1b[0m" {
		t.Errorf("%q", got)
	}
	if got := paint(false, red, "failure"); got != "failure" {
		t.Errorf("%q", got)
	}
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("no terminal can be made here: %v", err)
	}
	defer func() { _ = terminal.Close() }()
	a := &app{stdout: terminal}
	if !a.colored() {
		t.Error("a terminal has no colors")
	}
	t.Setenv("NO_COLOR", "1")
	if a.colored() {
		t.Error("NO_COLOR is ignored")
	}
	t.Setenv("NO_COLOR", "")
	t.Setenv("TERM", "dumb")
	if a.colored() {
		t.Error("a dumb terminal has colors")
	}
}

func openNull(t *testing.T) *os.File {
	t.Helper()
	f, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}
