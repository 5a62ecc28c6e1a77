package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

var macro = regexp.MustCompile(`^\.(TH|SH|TP|PP|nf|fi|nh|ad)\b`)

func TestEveryCommandHasAManualPage(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "man1")
	if code, _, errs := call(t.Context(), "man", "--dir", dir); code != exitOK {
		t.Fatal(errs)
	}
	root := (&app{stdout: io.Discard, stderr: io.Discard}).root()
	all := documented(root)
	if len(all) < 25 {
		t.Errorf("only %d commands", len(all))
	}
	for _, c := range all {
		file := filepath.Join(dir, pageName(c)+".1")
		page, err := os.ReadFile(file)
		if err != nil {
			t.Error(err)
			continue
		}
		lines := strings.Split(string(page), "\n")
		if !strings.HasPrefix(lines[0], ".TH ") || !strings.Contains(string(page), ".SH NAME\n"+escaped(pageName(c))+` \- `+escaped(c.Short)+"\n.SH SYNOPSIS\n") {
			t.Errorf("%s begins with %.200s", file, page)
		}
		for i, l := range lines {
			if strings.HasPrefix(l, ".") && !macro.MatchString(l) || strings.HasPrefix(l, "'") {
				t.Errorf("%s:%d would be read as a macro: %s", file, i+1, l)
			}
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if !strings.Contains(string(page), escaped("--"+f.Name)) {
				t.Errorf("%s lacks --%s", file, f.Name)
			}
		})
		render(t, file)
	}
}

// render asks a formatter for its warnings, where there is one.
func render(t *testing.T, file string) {
	t.Helper()
	groff, err := exec.LookPath("groff")
	if err != nil {
		return
	}
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(t.Context(), groff, "-man", "-Tutf8", "-ww", "-z", file)
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil || errs.Len() > 0 {
		t.Errorf("%s: %v: %s", file, err, errs.String())
	}
}

func TestManPrintsOnePage(t *testing.T) {
	code, out, errs := call(t.Context(), "man", "dlq", "retry")
	if code != exitOK || !strings.HasPrefix(out, `.TH "OUTBOX\-DLQ\-RETRY" "1"`) {
		t.Errorf("exit code %d: %.100s %s", code, out, errs)
	}
	if code, _, errs := call(t.Context(), "man", "nosuch"); code != exitUsage || !strings.Contains(errs, "there is no command") {
		t.Errorf("exit code %d: %s", code, errs)
	}
	if code, _, _ := call(t.Context(), "man", "dlq", "--dir", t.TempDir()); code != exitUsage {
		t.Errorf("exit code %d", code)
	}
}

func TestTextCannotBecomeAMacro(t *testing.T) {
	var r roff
	r.text(".SH evil\n'nf\n  .indented\nback\\slash")
	want := "\\&.SH evil\n\\(aqnf\n.PP\n.nf\n  .indented\n.fi\nback\\eslash\n"
	if got := string(r.bytes()); got != want {
		t.Errorf("got %q, expected %q", got, want)
	}
}
