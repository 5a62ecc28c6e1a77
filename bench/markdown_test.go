package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheTableGoesBetweenTheMarkersAndNowhereElse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "page.md")
	page := "before\n" + markdownBegin + "\nold\n" + markdownEnd + "\nafter\n"
	if err := os.WriteFile(path, []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	r := &report{Runs: 5, Scale: 1, Rows: []row{alone("something", &figure{Metric: rate, Median: 12345})}}
	for range 2 { // a second run replaces the first
		if err := r.saveMarkdown(path); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := string(got)
	if !strings.HasPrefix(text, "before\n") || !strings.HasSuffix(text, "\nafter\n") || strings.Contains(text, "old") {
		t.Errorf("the page is now\n%s", text)
	}
	if strings.Count(text, "| something | 12,345/s") != 1 {
		t.Errorf("the row is not there once:\n%s", text)
	}
}

func TestAPageWithoutMarkersIsLeftAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "page.md")
	if err := os.WriteFile(path, []byte("nothing\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := (&report{}).saveMarkdown(path); err == nil {
		t.Error("no error")
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "nothing\n" {
		t.Errorf("the page is now %q (%v)", got, err)
	}
}
