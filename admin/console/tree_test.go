package console

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/admin"
)

// written is a tree as text again.
func written(n *node) string {
	var parts []string
	for _, c := range n.Nodes {
		text := written(c)
		if c.Name != "" {
			text = c.Name + ":" + text
		}
		parts = append(parts, text)
	}
	switch {
	case n.Empty() != "":
		return n.Empty()
	case n.Kind == "object":
		return "{" + strings.Join(parts, ",") + "}"
	case n.Kind == "array":
		return "[" + strings.Join(parts, ",") + "]"
	}
	return n.Text
}

func TestATreeHasWhatTheTextSaysInItsOrder(t *testing.T) {
	for _, text := range []string{
		`{"z":1.50,"a":[true,false,null,[],{}],"z":12345678901234567890}`,
		`"<b>&\u2028"`, `7`, `null`, `[]`, `{}`, `[[[[1]]]]`, `{"":{"":""}}`, `["a\"b","\n"]`,
	} {
		n, whole, err := treeOf(text)
		if got := written(n); err != nil || !whole || got != text {
			t.Errorf("%s became %s, whole %t, error %v", text, got, whole, err)
		}
	}
	for _, text := range []string{``, `{`, `{"a":}`, `1 2`, `nope`, "\x00"} {
		if _, _, err := treeOf(text); err == nil {
			t.Errorf("%q has a tree", text)
		}
	}
}

func TestATreeEndsAtItsBounds(t *testing.T) {
	count := func(text string) (nodes int) {
		n, whole, err := treeOf(text)
		if err != nil || whole {
			t.Fatalf("whole %t, error %v", whole, err)
		}
		var walk func(n *node)
		walk = func(n *node) {
			nodes++
			for _, c := range n.Nodes {
				walk(c)
			}
		}
		walk(n)
		return nodes
	}
	if n := count("[" + strings.Repeat("1,", 5000) + "1]"); n != maxNodes {
		t.Errorf("%d nodes of 5000, want %d", n, maxNodes)
	}
	if n := count(strings.Repeat("[", 5000) + strings.Repeat("]", 5000)); n != maxNodeDepth+1 {
		t.Errorf("%d levels of 5000, want %d", n, maxNodeDepth+1)
	}
	n, whole, err := treeOf("[" + strings.Repeat("1,", maxNodes-2) + "1]")
	if err != nil || !whole || len(n.Nodes) != maxNodes-1 {
		t.Errorf("%d elements, whole %t, error %v", len(n.Nodes), whole, err)
	}
	n, _, _ = treeOf(`"` + strings.Repeat("é", 10*maxNodeText) + `"`)
	if want := `"` + strings.Repeat("é", maxNodeText) + `" …`; n.Text != want {
		t.Errorf("a long string has %d bytes, want %d", len(n.Text), len(want))
	}
}

func TestAPayloadIsShownInTheViewThatFits(t *testing.T) {
	bytes := func(text string) *[]byte { b := []byte(text); return &b }
	for _, c := range []struct {
		name, query, text string
		raw               *[]byte
		view, shows       string
	}{
		{"JSON", "", `{"a":1}`, nil, "tree", ""},
		{"JSON as text", "?view=raw", `{"a": 1}`, nil, "raw", `{"a": 1}`},
		{"JSON as bytes", "?view=hex", `{"a":1}`, nil, "hex", "|{\"a\":1}|"},
		{"an unknown view", "?view=x", `{"a":1}`, nil, "tree", ""},
		{"text that is not JSON", "", `{"a":`, nil, "raw", `{"a":`},
		{"bytes", "", "", bytes("\x00\xff"), "hex", "00 ff"},
		{"bytes as text", "?view=raw", "", bytes("a\xff"), "raw", "a\uFFFD"},
		{"bytes that are text", "", "", bytes("hello\n"), "raw", "hello\n"},
		{"bytes as a tree", "?view=tree", "", bytes("{}"), "raw", "{}"},
		{"no bytes", "", "", bytes(""), "raw", ""},
	} {
		p := payloadOf(httptest.NewRequest("GET", "/"+c.query, nil), c.text, c.raw, nil)
		if p.Hidden || p.Cut || p.View != c.view || !strings.Contains(p.Text, c.shows) || (p.Tree != nil) != (c.view == "tree") || p.NotJSON != (c.text == `{"a":`) {
			t.Errorf("%s: %+v", c.name, p)
		}
	}
	if p := payloadOf(httptest.NewRequest("GET", "/", nil), "", nil, nil); !p.Hidden {
		t.Errorf("a hidden one: %+v", p)
	}
	for _, view := range []string{"raw", "hex"} {
		p := payloadOf(httptest.NewRequest("GET", "/?view="+view, nil), `"`+strings.Repeat("é", 40<<10)+`"`, nil, nil)
		if !p.Cut || p.Size != 80<<10+2 || view == "raw" && len(p.Text) > maxShown+3 || strings.HasSuffix(strings.TrimSuffix(p.Text, "\uFFFD"), "\xc3") {
			t.Errorf("%s of a large payload: cut %t, %d of %d bytes", view, p.Cut, len(p.Text), p.Size)
		}
	}
}

func TestAttemptsStandByDestinationLatestFirst(t *testing.T) {
	at := time.Now()
	f := func(n int, to, text string) admin.Failure {
		return admin.Failure{Attempt: n, At: at.Add(time.Duration(n) * time.Second), Destination: to, Relay: "relay-1/x7", Error: text}
	}
	var got []string
	for _, g := range attemptsOf([]admin.Failure{f(1, "a", "no"), f(2, "b", "panic: x\n\nmain.go:7"), f(3, "a", "no\nnever\n")}) {
		for _, a := range g.All {
			got = append(got, fmt.Sprintf("%s %d %s %q %q", g.Destination, a.Attempt, a.Instance, a.First, a.Rest))
		}
	}
	want := `a 3 relay-1 "no" "never"; a 1 relay-1 "no" ""; b 2 relay-1 "panic: x" "main.go:7"`
	if strings.Join(got, "; ") != want {
		t.Errorf("%s, want %s", strings.Join(got, "; "), want)
	}
}
