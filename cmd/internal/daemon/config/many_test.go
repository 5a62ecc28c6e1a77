package config

import (
	"fmt"
	"strings"
	"testing"
)

// manyEvents is a configuration with that many patterns.
func manyEvents(n int, pattern string) []byte {
	var text strings.Builder
	text.WriteString("outbox:\n  publisher:\n    sender: {type: log}\n    events:\n")
	for i := range n {
		fmt.Fprintf(&text, "      %q: {}\n", fmt.Sprintf(pattern, i))
	}
	return []byte(text.String())
}

func TestEveryPatternThatMeetsAnotherIsAProblemOfItsOwn(t *testing.T) {
	_, _, err := Read("outbox.yaml", manyEvents(50, "*%03d*"), []string{"OUTBOX_DATABASE_URL=sqlite://x"})
	if err == nil || strings.Count(err.Error(), "match some event types equally") != 49 {
		t.Errorf("got %v, want 49 problems", err)
	}
}

func BenchmarkReadPatterns(b *testing.B) {
	for name, pattern := range map[string]string{"own": "a%04d-*", "meeting": "*%04d*"} {
		for _, n := range []int{500, 1000, 2000} {
			b.Run(fmt.Sprint(name, "/", n), func(b *testing.B) {
				text := manyEvents(n, pattern)
				for b.Loop() {
					_, _, err := Read("outbox.yaml", text, []string{"OUTBOX_DATABASE_URL=sqlite://x"})
					if (err != nil) != (name == "meeting") {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
