package outbox

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path"
	"slices"
	"testing"
)

type noSink struct{}

func (noSink) Send(context.Context, []Message) []error { return nil }

// conflict is the first of the patterns that stands in the way of one more,
// found by asking each.
func conflict(patterns []*Target, t *Target) *Target {
	for _, p := range patterns {
		if p.pattern == t.pattern || p.parsed.compare(t.parsed) == 0 && p.parsed.meets(t.parsed) {
			return p
		}
	}
	return nil
}

// anyPattern is a short one of few characters, so that many of them meet.
func anyPattern(r *rand.Rand) string {
	for {
		text := ""
		for range 1 + r.IntN(6) {
			text += []string{"a", "b", "ü", "/", "*", "*", "?", "[ab]", "[a-b]", "[^a]", "[a]", "[b-a]", `\*`, `\[`}[r.IntN(14)]
		}
		if _, err := path.Match(text, ""); err == nil {
			return text
		}
	}
}

func TestTheIndexFindsTheConflictThatAskingEachFinds(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 0))
		var placed []*Target
		var index patternIndex
		found := 0
		for range 60 {
			text := anyPattern(r)
			one := &Target{pattern: text, parsed: parsePattern(text)}
			want, got := conflict(placed, one), index.conflict(one)
			if got != want {
				t.Fatalf("seed %d: %q is in conflict with %v, want %v", seed, text, got, want)
			}
			if want != nil {
				found++
				continue
			}
			placed = append(placed, one)
			slices.SortStableFunc(placed, func(a, b *Target) int { return a.parsed.compare(b.parsed) })
			index.add(one)
		}
		if found == 0 || len(placed) < 5 {
			t.Errorf("seed %d: %d conflicts, %d placed: the patterns show nothing", seed, found, len(placed))
		}
	}
}

func TestTheRegistryKeepsItsPatternsByTheirWeight(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	reg := NewRegistry()
	var want []*Target
	for range 500 {
		reg.Route(anyPattern(r), noSink{})
		if n := len(reg.patterns); n > len(want) {
			at := slices.IndexFunc(reg.patterns, func(p *Target) bool { return !slices.Contains(want, p) })
			want = append(want, reg.patterns[at])
			slices.SortStableFunc(want, func(a, b *Target) int { return a.parsed.compare(b.parsed) })
		}
	}
	if !slices.Equal(reg.patterns, want) {
		t.Error("they are in another order than that of their weight and registration")
	}
}

// Each layout has names of its own in another place.
var layouts = map[string]string{
	"at the beginning": "a%04d-*", "at the end": "*-a%04d", "behind others": "order-a%04d-*", "between stars": "order-*-a%04d",
	"without a star": "a%04d?",
}

func TestPatternsWithTheirOwnNamesAreNotComparedInPairs(t *testing.T) {
	for name, layout := range layouts {
		var index patternIndex
		asked := 0
		for i := range 4000 {
			text := fmt.Sprintf(layout, i)
			one := &Target{pattern: text, parsed: parsePattern(text)}
			asked += len(index.near(one))
			index.add(one)
		}
		if asked > 4000 {
			t.Errorf("%s: 4000 patterns asked for %d comparisons, want at most one each", name, asked)
		}
	}
}

func BenchmarkRoutePatterns(b *testing.B) {
	for _, n := range []int{500, 1000, 2000, 4000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				reg := NewRegistry()
				for i := range n {
					reg.Route(fmt.Sprintf("a%04d-*", i), noSink{})
				}
				if err := reg.Err(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func FuzzPatternsThatMatchOneTypeMeet(f *testing.F) {
	for _, s := range [][3]string{{"a*", "*a", "aa"}, {"[^a-c]?", "?[x]", "dx"}, {`\*[^b-]*`, "*", "*a"}, {"[a\\-z]", "?", "-"}, {"?00001*", "?00002*", "x00001"}, {"ab*c", "abc", "abc"}} {
		f.Add(s[0], s[1], s[2])
	}
	f.Fuzz(func(t *testing.T, a, b, eventType string) {
		one, err1 := path.Match(a, eventType)
		two, err2 := path.Match(b, eventType)
		if err1 != nil || err2 != nil {
			return
		}
		p, q := parsePattern(a), parsePattern(b)
		if p.meets(q) != q.meets(p) {
			t.Errorf("%q meets %q in one direction only", a, b)
		}
		if one && two && !p.meets(q) {
			t.Errorf("%q and %q both match %q, and do not meet", a, b, eventType)
		}
	})
}
