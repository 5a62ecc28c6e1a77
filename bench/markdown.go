package main

import (
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"
)

// The markers between which a page has the tables of one run.
const (
	markdownBegin = "<!-- bench: the table begins -->"
	markdownEnd   = "<!-- bench: the table ends -->"
)

// saveMarkdown puts the tables into a page, or prints them for "-".
func (r *report) saveMarkdown(path string) error {
	var text strings.Builder
	r.markdown(&text)
	if path == "-" {
		_, err := io.WriteString(os.Stdout, text.String())
		return err
	}
	page, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before, rest, found := strings.Cut(string(page), markdownBegin)
	_, after, ended := strings.Cut(rest, markdownEnd)
	if !found || !ended {
		return fmt.Errorf("%s has no lines %q and %q to put the table between", path, markdownBegin, markdownEnd)
	}
	page = []byte(before + markdownBegin + "\n\n" + text.String() + "\n" + markdownEnd + after)
	return os.WriteFile(path, page, 0o644)
}

func (r *report) markdown(w io.Writer) {
	m := r.Machine
	fmt.Fprintf(w, "Run on %s: %s, %d cores, %s of memory, %s, %s. ", time.Now().UTC().Format(time.DateOnly), m.CPU, m.Cores, m.Memory, m.System, m.Go)
	fmt.Fprintf(w, "PostgreSQL %s with", m.Server)
	for i, name := range serverSettings {
		if i > 0 {
			fmt.Fprint(w, ",")
		}
		fmt.Fprintf(w, " %s = %s", name, m.Settings[name])
	}
	fmt.Fprint(w, ".")
	for _, path := range slices.Sorted(maps.Keys(m.Versions)) {
		fmt.Fprintf(w, " %s %s.", path, m.Versions[path])
	}
	fmt.Fprintf(w, " Medians of %d interleaved runs; ± is half of the distance between the lowest and the highest.", r.Runs)
	if r.Scale != 1 {
		fmt.Fprintf(w, " **At %g of the full size: for trying out only.**", r.Scale)
	}
	fmt.Fprint(w, "\n\n")
	markdownTable(w, verdictHead, r.verdicts())
	fmt.Fprint(w, "\nAll variants:\n")
	for _, s := range r.Scenarios {
		fmt.Fprintf(w, "\n### %s\n\n%s.\n\n", s.Name, strings.ToUpper(s.What[:1])+s.What[1:])
		markdownTable(w, figureHead, s.figures())
	}
}

func markdownTable(w io.Writer, head []string, lines [][]string) {
	fmt.Fprintf(w, "| %s |\n|%s\n", strings.Join(head, " | "), strings.Repeat(" --- |", len(head)))
	for _, line := range lines {
		fmt.Fprintf(w, "| %s |\n", strings.Join(line, " | "))
	}
}
