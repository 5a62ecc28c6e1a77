package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// tally counts results and shows failures and finished packages as they come.
type tally struct {
	out    io.Writer
	passed int
	failed []string // what failed, in the order of the events
	skips  []skip
	open   map[string]*pkg             // packages that have not finished
	builds map[string]*strings.Builder // compiler messages by import path
}

type skip struct {
	name   string // package and test
	reason string
}

// pkg is a package whose tests are running.
type pkg struct {
	output                  strings.Builder             // its own, outside any test
	tests                   map[string]*strings.Builder // output of the tests that have not ended
	passed, failed, skipped int
}

func newTally(out io.Writer) *tally {
	return &tally{out: out, open: map[string]*pkg{}, builds: map[string]*strings.Builder{}}
}

func (t *tally) add(e event) {
	if e.Action == "build-output" {
		b := t.builds[e.ImportPath]
		if b == nil {
			b = &strings.Builder{}
			t.builds[e.ImportPath] = b
		}
		b.WriteString(e.Output)
		return
	}
	if e.Package == "" {
		return
	}
	p := t.open[e.Package]
	if p == nil {
		p = &pkg{tests: map[string]*strings.Builder{}}
		t.open[e.Package] = p
	}
	if e.Test == "" {
		t.addToPackage(p, e)
	} else {
		t.addToTest(p, e)
	}
}

func (t *tally) addToTest(p *pkg, e event) {
	out := p.tests[e.Test]
	if out == nil {
		out = &strings.Builder{}
		p.tests[e.Test] = out
	}
	name := e.Package + " " + e.Test
	switch e.Action {
	case "output":
		if !chatter(e.Output) {
			out.WriteString(e.Output)
		}
		return
	case "pass":
		t.passed++
		p.passed++
	case "fail":
		t.fail(name, fmt.Sprintf("(%.2fs)", e.Elapsed), out.String())
		p.failed++
	case "skip":
		t.skips = append(t.skips, skip{name, reason(out.String())})
		p.skipped++
	default:
		return // run, pause, cont: the test goes on
	}
	delete(p.tests, e.Test)
}

func (t *tally) addToPackage(p *pkg, e event) {
	switch e.Action {
	case "output":
		p.output.WriteString(e.Output)
		return
	case "pass":
		fmt.Fprintf(t.out, "ok    %s  %.1fs  %s\n", e.Package, e.Elapsed, p.counts())
	case "fail":
		t.endFailed(p, e)
	case "skip": // has no tests
	default:
		return
	}
	delete(t.open, e.Package)
}

// endFailed ends a package that failed. Tests without a result were running when
// it died: of a panic, an exit or the time limit.
func (t *tally) endFailed(p *pkg, e event) {
	for _, test := range slices.Sorted(maps.Keys(p.tests)) {
		t.fail(e.Package+" "+test, "(did not end)", p.tests[test].String())
		p.failed++
	}
	if b := t.builds[e.FailedBuild]; b != nil {
		t.fail(e.Package, "(did not build)", b.String())
	} else if p.failed == 0 {
		t.fail(e.Package, "(outside any test)", p.output.String())
	}
	fmt.Fprintf(t.out, "FAIL  %s  %.1fs  %s\n", e.Package, e.Elapsed, p.counts())
}

// end is called when there are no more events.
func (t *tally) end() {
	for _, name := range slices.Sorted(maps.Keys(t.open)) {
		t.fail(name, "(cut off: the output ends before the package does)", t.open[name].output.String())
	}
}

func (t *tally) fail(name, how, output string) {
	t.failed = append(t.failed, name)
	fmt.Fprintf(t.out, "FAIL: %s %s\n%s", name, how, output)
}

func (p *pkg) counts() string {
	s := fmt.Sprintf("%d passed", p.passed)
	if p.failed > 0 {
		s += fmt.Sprintf(", %d failed", p.failed)
	}
	if p.skipped > 0 {
		s += fmt.Sprintf(", %d skipped", p.skipped)
	}
	return s
}

// chatter reports whether the line says only that a test runs or has ended.
func chatter(line string) bool {
	line = strings.TrimLeft(line, " ")
	return strings.HasPrefix(line, "=== ") || strings.HasPrefix(line, "--- ")
}
