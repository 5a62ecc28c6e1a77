package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"text/tabwriter"
)

// report is everything that was measured.
type report struct {
	Machine   machine          `json:"machine"`
	Runs      int              `json:"runs"`
	Scale     float64          `json:"scale"`
	Scenarios []scenarioReport `json:"scenarios"`
	Rows      []row            `json:"rows"`
}

// scenarioReport has the runs of a scenario, variant by variant.
type scenarioReport struct {
	Name     string     `json:"name"`
	What     string     `json:"what"`
	Variants []*outcome `json:"variants"`
}

// measured is a scenario with its results.
type measured struct {
	scenario
	got results
}

type measurements []measured

func (ms measurements) has(name string) bool {
	return slices.ContainsFunc(ms, func(m measured) bool { return m.name == name })
}

// fill takes in the scenarios that have run, in the order in which they are
// listed.
func (r *report) fill(ms measurements) {
	r.Scenarios, r.Rows = nil, nil
	for _, s := range scenarios() {
		for _, m := range ms {
			if m.name == s.name {
				r.add(m)
			}
		}
	}
}

func (r *report) add(m measured) {
	sr := scenarioReport{Name: m.name, What: m.what}
	for _, v := range m.variants {
		sr.Variants = append(sr.Variants, m.got[v.name])
	}
	r.Scenarios = append(r.Scenarios, sr)
	r.Rows = append(r.Rows, m.judge(m.got)...)
}

func (r *report) header(w io.Writer) {
	m := r.Machine
	fmt.Fprintf(w, "%s, %d cores, %s, %s, %s\n", m.CPU, m.Cores, m.Memory, m.System, m.Go)
	fmt.Fprintf(w, "PostgreSQL %s", m.Server)
	for _, name := range serverSettings {
		fmt.Fprintf(w, ", %s %s", name, m.Settings[name])
	}
	fmt.Fprintln(w)
	for _, path := range slices.Sorted(maps.Keys(m.Versions)) {
		fmt.Fprintf(w, "%s %s\n", path, m.Versions[path])
	}
	fmt.Fprintf(w, "%d runs of each variant, interleaved", r.Runs)
	if r.Scale != 1 {
		fmt.Fprintf(w, ", at %g of the full size: these figures are for trying out only", r.Scale)
	}
	fmt.Fprintln(w)
}

// print writes all figures and then the table of what is required.
func (r *report) print(w io.Writer) {
	for _, s := range r.Scenarios {
		fmt.Fprintf(w, "\n%s\n", s.What)
		table(w, figureHead, s.figures())
	}
	fmt.Fprintln(w)
	table(w, verdictHead, r.verdicts())
}

func table(w io.Writer, head []string, lines [][]string) {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, line := range append([][]string{head}, lines...) {
		for _, cell := range line {
			fmt.Fprintf(out, "  %s\t", cell)
		}
		fmt.Fprintln(out)
	}
	_ = out.Flush() // to a terminal
}

var figureHead = []string{"variant", "figure", "median", "lowest", "highest", "lost", "doubled"}

// figures are the lines of one scenario.
func (s *scenarioReport) figures() [][]string {
	got := results{}
	for _, o := range s.Variants {
		got[o.Variant] = o
	}
	var lines [][]string
	for _, o := range s.Variants {
		if len(o.Errors) > 0 {
			lines = append(lines, []string{o.Variant, "failed: " + o.Errors[0], "", "", "", "", ""})
		}
		for _, m := range []metric{rate, p50, p99, longest, share, memory, backlog, processCPU, serverCPU, stolen} {
			if f := got.figure(o.Variant, m); f != nil {
				lines = append(lines, []string{
					o.Variant, string(m), m.format(f.Median), m.format(f.Low), m.format(f.High),
					fmt.Sprint(f.Lost), fmt.Sprint(f.Doubled),
				})
			}
		}
	}
	return lines
}

var verdictHead = []string{"what", "ours", "reference", "ratio", "required", "verdict", "lost/doubled"}

// verdicts are the lines of the final table.
func (r *report) verdicts() [][]string {
	var lines [][]string
	for _, row := range r.Rows {
		line := []string{row.What, row.Ours.String(), row.Reference.String(), "", row.Required, string(row.Verdict), ""}
		if row.Reference != nil {
			line[2] += " (" + row.Reference.Of + ")"
		}
		if q := row.Ratio; q != nil {
			line[3] = fmt.Sprintf("%s (%s to %s)", quotient.format(q.Median), quotient.format(q.Low), quotient.format(q.High))
		}
		if row.Ours != nil {
			line[6] = fmt.Sprintf("%d/%d", row.Ours.Lost, row.Ours.Doubled)
		}
		lines = append(lines, line)
	}
	return lines
}

// save writes the file of -o.
func (r *report) save(o *options) error {
	if o.json == "" {
		return nil
	}
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(o.json, append(text, '\n'), 0o644)
}

// show writes the tables of -markdown.
func (r *report) show(o *options) error {
	if o.markdown == "" {
		return nil
	}
	return r.saveMarkdown(o.markdown)
}
