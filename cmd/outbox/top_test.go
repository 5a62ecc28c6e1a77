package main

import (
	"regexp"
	"strings"
	"sync"
	"testing"
)

// screenOf returns a printed screen without its heading, and without what differs
// from one moment to the next.
func screenOf(t *testing.T, a asked) string {
	t.Helper()
	lines := strings.SplitN(a.stdout, "\n", 3)
	if a.code != exitOK || len(lines) < 3 || !strings.HasPrefix(lines[0], "outbox top") {
		t.Fatalf("got %+v", a)
	}
	text := regexp.MustCompile(`\d[\d.,]*(m\d\ds| m?s|h\d\dm|d\b)`).ReplaceAllString(lines[2], "…")
	return regexp.MustCompile(` +`).ReplaceAllString(text, " ")
}

func TestTopPrintsTheSameThroughTheAPI(t *testing.T) {
	s := serve(t)
	s.exec(t, seeds...)
	var direct, remote asked
	var both sync.WaitGroup // each measures for some seconds
	both.Go(func() {
		code, out, errs := call(t.Context(), "top", "--database", s.address)
		direct = asked{code, out, errs}
	})
	both.Go(func() { remote = s.through(t, "vera", "top") })
	both.Wait()
	want, got := screenOf(t, direct), screenOf(t, remote)
	if got != want {
		t.Errorf("through the API:\n%s\ndirectly:\n%s", got, want)
	}
	for _, part := range []string{"No relay is alive.", "kafkasink#0:orders", "OrderMoved", "\nrelay ", "dead letters 6"} {
		if !strings.Contains(got, part) {
			t.Errorf("%q is missing in\n%s", part, got)
		}
	}
}
