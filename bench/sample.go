package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

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
