package outbox

import (
	"iter"
	"slices"
	"strings"
)

// patternIndex finds the patterns that a new one could conflict with. Comparing
// every pair would take seconds for a few thousand. The zero value is empty.
type patternIndex struct{ byWeight map[weight]*alike }

// weight is what two patterns must have in common to match equally.
type weight struct{ literals, classes, wild int }

// alike are patterns, in the order of their registration.
type alike struct {
	all          []*Target
	starts, ends affixes
}

func (x *patternIndex) add(t *Target) {
	if x.byWeight == nil {
		x.byWeight = map[weight]*alike{}
	}
	a := x.byWeight[t.parsed.weight()]
	if a == nil {
		a = &alike{}
		x.byWeight[t.parsed.weight()] = a
	}
	a.add(t)
}

func (a *alike) add(t *Target) {
	start, end := t.parsed.affixes()
	a.starts.add(start, len(a.all))
	a.ends.add(end, len(a.all))
	a.all = append(a.all, t)
}

// conflict returns the first pattern that is the same, or matches some event
// types equally, or nil.
func (x *patternIndex) conflict(t *Target) *Target {
	for _, p := range x.near(t) {
		if p.pattern == t.pattern || p.parsed.meets(t.parsed) {
			return p
		}
	}
	return nil
}

// near returns the patterns of the same weight that may meet t, in the order of
// their registration.
func (x *patternIndex) near(t *Target) []*Target {
	if a := x.byWeight[t.parsed.weight()]; a != nil {
		return a.near(t.parsed)
	}
	return nil
}

// near returns those that may meet p, in the order of their registration.
func (a *alike) near(p pattern) []*Target {
	start, end := p.affixes()
	first, second := a.starts.near(start), a.ends.near(end)
	if len(start) < len(end) { // the longer one is likely to have fewer
		first, second = second, first
	}
	found := slices.Collect(first)
	if other := collect(second, len(found)); len(other) < len(found) {
		found = other
	}
	slices.Sort(found)
	near := make([]*Target, len(found))
	for i, n := range found {
		near[i] = a.all[n]
	}
	return near
}

// affixes are the literal beginnings, or ends, of patterns. Two patterns cannot
// meet unless one's beginning begins with the other's.
type affixes struct {
	sorted []string
	of     map[string][]int // the patterns that have it
}

func (x *affixes) add(affix string, pattern int) {
	if x.of == nil {
		x.of = map[string][]int{}
	}
	at, found := slices.BinarySearch(x.sorted, affix)
	if !found {
		x.sorted = slices.Insert(x.sorted, at, affix)
	}
	x.of[affix] = append(x.of[affix], pattern)
}

// near returns the patterns whose affix begins with the given one, or the other
// way round.
func (x *affixes) near(affix string) iter.Seq[int] {
	return func(yield func(int) bool) {
		for n := range len(affix) {
			for _, p := range x.of[affix[:n]] {
				if !yield(p) {
					return
				}
			}
		}
		at, _ := slices.BinarySearch(x.sorted, affix)
		for ; at < len(x.sorted) && strings.HasPrefix(x.sorted[at], affix); at++ {
			for _, p := range x.of[x.sorted[at]] {
				if !yield(p) {
					return
				}
			}
		}
	}
}

// collect returns at most that many.
func collect(seq iter.Seq[int], most int) (all []int) {
	if most == 0 {
		return nil
	}
	for n := range seq {
		if all = append(all, n); len(all) == most {
			break
		}
	}
	return all
}

func (p pattern) weight() weight { return weight{p.literals, p.classes, p.wild} }

// affixes returns the characters that every match begins with, and those that
// it ends with, the latter reversed.
func (p pattern) affixes() (start, end string) {
	backwards := slices.Clone(p.elements)
	slices.Reverse(backwards)
	return literals(p.elements), literals(backwards)
}

// literals returns the leading characters that match only themselves.
func literals(elements []element) string {
	var text []rune
	for _, e := range elements {
		if e.star || len(e.of) != 1 || e.of[0].from != e.of[0].to {
			break
		}
		text = append(text, e.of[0].from)
	}
	return string(text)
}
