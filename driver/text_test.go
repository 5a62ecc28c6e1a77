package driver_test

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sendoff-go/outbox/driver"
)

func TestErrorTextIsCutAtARuneBoundary(t *testing.T) {
	for _, char := range []string{"x", "é", "語", "🙂"} {
		for _, n := range []int{3999, 4000, 4001, 10_000} {
			got := driver.ErrorText(errors.New(strings.Repeat(char, n)))
			if want := strings.Repeat(char, min(n, driver.MaxErrorLength)); got != want {
				t.Errorf("%d times %q became %d characters of %d bytes", n, char, utf8.RuneCountInString(got), len(got))
			}
		}
	}
	if driver.ErrorText(nil) != "" {
		t.Error("no error has a text")
	}
}

func TestCleanTextIsStorableAnywhere(t *testing.T) {
	for in, want := range map[string]string{
		"":              "",
		"plain":         "plain",
		"a\x00b":        "a\ufffdb",
		"a\xffb":        "a\ufffdb",
		"half \xf0\x9f": "half \ufffd\ufffd",
		"kept \ufffd":   "kept \ufffd",
		"line\nbreak\t": "line\nbreak\t",
	} {
		if got := driver.CleanText(in, 100); got != want {
			t.Errorf("%q became %q, expected %q", in, got, want)
		}
	}
	if got := driver.CleanText("abc", 0); got != "" {
		t.Errorf("cut at 0: %q", got)
	}
	if got := driver.CleanText("éé", 1); got != "é" {
		t.Errorf("cut at 1: %q", got)
	}
}

func FuzzCleanText(f *testing.F) {
	f.Add("a\x00\xff🙂", 3)
	f.Fuzz(func(t *testing.T, s string, limit int) {
		limit = max(0, limit%5000)
		got := driver.CleanText(s, limit)
		if !utf8.ValidString(got) || strings.ContainsRune(got, 0) || utf8.RuneCountInString(got) > limit {
			t.Errorf("%q became %q", s, got)
		}
		if again := driver.CleanText(got, limit); again != got {
			t.Errorf("cleaning %q again made %q", got, again)
		}
	})
}
