package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// scenario is a question with several variants that answer it.
type scenario struct {
	name     string
	what     string
	variants []variant
	// judge makes the rows of the final table.
	judge func(r results) []row
}

// variant is one way of doing what the scenario asks.
type variant struct {
	name string
	run  runFunc
}

// runFunc prepares the tables, measures once, and cleans up after itself.
type runFunc = func(ctx context.Context, e *env) (sample, error)

// sample is what one run measured.
type sample struct {
	Values  map[metric]float64 `json:"values"`
	Lost    int                `json:"lost"`
	Doubled int                `json:"doubled"`
	// Note is what a reader should know, for example how many warnings the
	// log had. Default: nothing.
	Note string `json:"note,omitempty"`
}

// scenarios lists all of them, in the order in which they run.
func scenarios() []scenario {
	return []scenario{
		drainKept(), drainDeleted(), severalRelays(), severalTypes(), ballast(),
		hotPath(), coldPath(), overload(), business(),
		sqliteDrain(), sqliteBusiness(), memoryBound(),
		kafkaScenario(), rabbitScenario(), natsScenario(), redisScenario(),
		inboxScenario(),
	}
}

// outcome is all runs of one variant.
type outcome struct {
	Variant string   `json:"variant"`
	Samples []sample `json:"samples"`
	Errors  []string `json:"errors,omitempty"`
}

// values are those of one metric, run by run.
func (o *outcome) values(m metric) []float64 {
	var vs []float64
	for _, s := range o.Samples {
		if v, ok := s.Values[m]; ok {
			vs = append(vs, v)
		}
	}
	return vs
}

// results are the outcomes of a scenario, by variant.
type results map[string]*outcome

// figure is one metric of a variant, or nil if that did not run.
func (r results) figure(name string, m metric) *figure {
	o := r[name]
	if o == nil {
		return nil
	}
	vs := o.values(m)
	if len(vs) == 0 {
		return nil
	}
	f := newFigure(name, m, vs)
	for _, s := range o.Samples {
		f.Lost += s.Lost
		f.Doubled += s.Doubled
	}
	return f
}

// fastest is the rate of whichever of the variants has the highest one.
func (r results) fastest(names ...string) *figure {
	var found *figure
	for _, name := range names {
		if f := r.figure(name, rate); f != nil && (found == nil || f.Median > found.Median) {
			found = f
		}
	}
	return found
}

// newSample begins a sample with what the listener counted of the first n
// events.
func newSample(events *ledger, n int) sample {
	s := sample{Values: map[metric]float64{}}
	s.Lost, s.Doubled = events.audit(n)
	return s
}

// String is one line of the progress.
func (s sample) String() string {
	var parts []string
	for _, m := range slices.Sorted(maps.Keys(s.Values)) {
		parts = append(parts, fmt.Sprintf("%s %s", m, m.format(s.Values[m])))
	}
	parts = append(parts, fmt.Sprintf("lost %d, doubled %d", s.Lost, s.Doubled))
	if s.Note != "" {
		parts = append(parts, s.Note)
	}
	return strings.Join(parts, "  ")
}
