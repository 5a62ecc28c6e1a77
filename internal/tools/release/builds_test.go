//go:build release

// These tests build every module anew, which takes minutes: scripts/release runs
// them.

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestEveryModuleBuildsAloneFromItsTag(t *testing.T) {
	r := newRig(t)
	modules, err := released(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range modules {
		dir := t.TempDir()
		if err := m.copyTo(dir); err != nil {
			t.Fatal(err)
		}
		mod, err := m.required(r.version, modules)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "go.mod"), mod, 0o644); err != nil {
			t.Fatal(err)
		}
		r.run(dir, nil, "build", "./...")
	}
}

func TestTheCommandIsInstalledByItsVersion(t *testing.T) {
	r := newRig(t)
	bin := t.TempDir()
	r.run(t.TempDir(), []string{"GOBIN=" + bin}, "install", root+"/cmd/outbox@"+r.version)
	out, err := exec.CommandContext(t.Context(), filepath.Join(bin, "outbox"), "version").CombinedOutput()
	if err != nil || !strings.Contains(string(out), r.version) {
		t.Errorf("outbox version: %v\n%s", err, out)
	}
}
