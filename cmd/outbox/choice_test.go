package main

import (
	"strings"
	"testing"
)

func TestOddArgumentsAreRefusedAlike(t *testing.T) {
	s := serve(t)
	for _, c := range []struct {
		line string
		code int
		want string
	}{
		{"dlq show .", exitFailure, "no dead letter has the id .:"},
		{"dlq show ..", exitFailure, "no dead letter has the id ..:"},
		{"events show ..", exitFailure, "no event in the outbox has the id ..:"},
		{"jobs show .", exitFailure, "no job has the id ."},
		{"jobs cancel ..", exitFailure, "no job has the id .."},
		{"dlq mark .. new", exitFailure, "no group has the id ..:"},
		{"dlq edit . --header a=b", exitFailure, "no open dead letter has the id .:"},
		{"alerts unmute ..", exitFailure, "no alert has the id ..:"},
		{"dlq show \xff", exitUsage, `"\xff" is not UTF-8: correct it`},
		{"dlq retry a \xff", exitUsage, "is not UTF-8"},
		{"dlq list --key \xff", exitUsage, "--key is not UTF-8"},
		{"dlq resolve a --note \xff", exitFailure, "1 of 1 left alone"},
		{"pause \xff", exitUsage, "valid UTF-8"},
		{"dlq list --key " + strings.Repeat("k", 3000), exitUsage, "--key has 3000 characters: give it at most 128"},
		{"dlq list --key " + strings.Repeat("é", 128), exitOK, ""},
		{"events list --tenant " + strings.Repeat("t", 65), exitUsage, "--tenant has 65 characters: give it at most 64"},
		{"erase --yes --key " + strings.Repeat("k", 129), exitUsage, "--key has 129 characters"},
	} {
		code, out, errs := call(t.Context(), append(words(c.line), "--database", s.address)...)
		for how, got := range map[string]asked{"directly": {code, out, errs}, "through the API": s.through(t, "ann", c.line)} {
			if got.code != c.code || !strings.Contains(got.stderr, c.want) {
				t.Errorf("%.40q %s: %d %s", c.line, how, got.code, got.stderr)
			}
		}
	}
}
