package main

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
)

// fewSkips is how many skipped tests with the same reason are named when skips
// are allowed: without a server there are hundreds.
const fewSkips = 3

// report prints the end of the run, and reports whether everything passed.
func report(out io.Writer, t *tally, require bool, leftOut []string) bool {
	ok := len(t.failed) == 0
	reportSkips(out, t.skips, require)
	if len(t.failed) > 0 {
		fmt.Fprintln(out, "\nfailed:")
		for _, name := range t.failed {
			fmt.Fprintln(out, "  "+name)
		}
	}
	fmt.Fprintln(out)
	if n := countMissing(t.skips, leftOut); require && n > 0 {
		fmt.Fprintf(out, "No test may be skipped here, and %d were.\n", n)
		ok = false
	}
	if t.passed+len(t.failed)+len(t.skips) == 0 {
		fmt.Fprintln(out, "No test ran.")
		ok = false
	}
	fmt.Fprintf(out, "%d passed, %d failed, %d skipped\n", t.passed, len(t.failed), len(t.skips))
	return ok
}

// reportSkips lists the skipped tests by their reason, the most common first:
// all of them if each is an error, otherwise a few.
func reportSkips(out io.Writer, skips []skip, all bool) {
	if len(skips) == 0 {
		return
	}
	byReason := map[string][]string{}
	var reasons []string
	for _, s := range skips {
		if byReason[s.reason] == nil {
			reasons = append(reasons, s.reason)
		}
		byReason[s.reason] = append(byReason[s.reason], s.name)
	}
	slices.SortStableFunc(reasons, func(a, b string) int {
		return cmp.Compare(len(byReason[b]), len(byReason[a]))
	})
	fmt.Fprintln(out, "\nskipped:")
	for _, reason := range reasons {
		names := byReason[reason]
		fmt.Fprintf(out, "  %d: %s\n", len(names), reason)
		shown := names
		if !all && len(names) > fewSkips {
			shown = names[:fewSkips]
		}
		for _, name := range shown {
			fmt.Fprintln(out, "     "+name)
		}
		if n := len(names) - len(shown); n > 0 {
			fmt.Fprintf(out, "     and %d more\n", n)
		}
	}
}

// countMissing counts the skips that are not excused: testenv begins its reason
// with these words when a server that the tests can do without was left out.
func countMissing(skips []skip, leftOut []string) int {
	n := len(skips)
	for _, s := range skips {
		for _, server := range leftOut {
			if strings.HasPrefix(s.reason, "left out: "+server+" ") {
				n--
				break
			}
		}
	}
	return n
}

var position = regexp.MustCompile(`(?m)^\s*\S+\.go:\d+: `)

// reason finds in the output of a skipped test why it was skipped: the last
// message, without the position, so that equal reasons read alike.
func reason(output string) string {
	starts := position.FindAllStringIndex(output, -1)
	if len(starts) == 0 {
		return "no reason given"
	}
	text := output[starts[len(starts)-1][1]:]
	return strings.Join(strings.Fields(text), " ")
}
