package outbox_test

import (
	"strings"
	"testing"

	"github.com/sendoff-go/outbox"
)

func TestThePatternWithTheLongestLiteralPartCounts(t *testing.T) {
	reg := outbox.NewRegistry()
	for _, pattern := range []string{"order-[a-z0-9_]*", "order-x*", "order-?", "order-*", `\*-a*`, "[*]-a*", "ü*", "[uü]?"} {
		reg.Route(pattern, &sink{}, outbox.Otherwise())
	}
	if err := reg.Err(); err != nil {
		t.Fatal(err)
	}
	for eventType, want := range map[string]string{
		"order-xy": "order-x*", "order-ab": "order-[a-z0-9_]*", "order-A": "order-?", "order-AB": "order-*",
		"*-abc": `\*-a*`, "üb": "ü*", "ub": "[uü]?",
	} {
		if got := reg.Lookup("", eventType).Pattern(); got != want {
			t.Errorf("%s goes to %s, want %s", eventType, got, want)
		}
	}
}

func TestPatternsThatMatchEquallyAreAnError(t *testing.T) {
	for _, c := range []struct {
		a, b  string
		error bool
	}{
		{"a*", "*a", true},
		{"a*", "b*", false},
		{"order-*", "*-order", true},
		{"order-*", "order-*?", false},
		{"*", "**", true},
		{"*", "*/*", false},
		{"a?", "?a", true},
		{"a?b", "ac?", true},
		{"a?b", "a?c", false},
		{"[a-c]x", "[c-e]x", true},
		{"[a-c]x", "[d-e]x", false},
		{"[^a]x", "[a]x", false},
		{"[^a]x", "[b]x", true},
		{"[^a]x", "[^b]x", true},
		{"?", "[/]", false},
		{"[^a]", "[/]", true},
		{"*a*b", "a*b*", true},
		{"a*", "aa", false}, // a name counts before a pattern
		{`\[a*`, `\]a*`, false},
		{`\[*a`, `\[a*`, true},
	} {
		reg := outbox.NewRegistry()
		reg.Route(c.a, &sink{}, outbox.Otherwise())
		reg.Route(c.b, &sink{}, outbox.Otherwise())
		err := reg.Err()
		if (err != nil) != c.error {
			t.Errorf("%s and %s: %v", c.a, c.b, err)
		}
		if err != nil && (!strings.Contains(err.Error(), c.a) || !strings.Contains(err.Error(), "make one")) {
			t.Errorf("%s and %s: %v does not say what to do", c.a, c.b, err)
		}
	}
}
