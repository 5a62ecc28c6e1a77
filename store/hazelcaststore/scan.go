package hazelcaststore

import (
	"context"
	"math"

	"github.com/hazelcast/hazelcast-go-client/predicate"
)

// scan reads the entries that match a predicate in the order of a numeric
// attribute, a window of them at a time. The client has no limit for a query, so
// each window is counted before it is read: it is narrowed if it holds too many,
// and widened where there are none.
type scan struct {
	table     *table
	match     predicate.Predicate
	attribute string
	then      string // the order of those whose attribute is the same; "": any
	backwards bool   // from the highest value down
	from, to  int64  // in the order of the scan
	width     int64  // of the next window; the scan adapts it
	most      int64  // entries in one window
}

// maxWindow is how many entries one query returns at most.
const maxWindow = 128

// maxWidth leaves room for arithmetic.
const maxWidth = math.MaxInt64 / 16

// run calls f with the texts of each window until it returns false. Within a
// window they come in any order.
func (s *scan) run(ctx context.Context, f func(texts [][]byte) (more bool, err error)) error {
	for from, rest := s.from, s.rest(s.from); rest >= 0; rest = s.rest(from) {
		width := min(s.width, rest)
		end := s.step(from, width)
		window := s.window(from, end)
		n, err := s.table.count(ctx, window)
		if err != nil {
			return err
		}
		if n > s.most && width > 0 {
			s.width = min(width/2, int64(float64(width)*float64(s.most)/float64(n)))
			continue
		}
		if n > 0 {
			if more, err := s.read(ctx, window, n, f); !more || err != nil {
				return err
			}
		}
		switch {
		case n == 0:
			s.width = min(8*s.width+1, maxWidth)
		case n < s.most/4:
			s.width = min(2*s.width+1, maxWidth)
		}
		if width == rest {
			return nil
		}
		from = s.step(end, 1)
	}
	return nil
}

// read passes on one window, or its parts if too many entries have the same
// value.
func (s *scan) read(ctx context.Context, window predicate.Predicate, n int64, f func(texts [][]byte) (more bool, err error)) (more bool, err error) {
	if n <= s.most || s.then == "" {
		texts, err := s.table.values(ctx, window)
		if err != nil {
			return false, err
		}
		return f(texts)
	}
	more = true
	first, found, err := s.table.least(ctx, s.then, window)
	if err != nil || !found {
		return true, err
	}
	inner := &scan{table: s.table, match: window, attribute: s.then, from: first, to: math.MaxInt64 - 1, most: s.most, width: 1 << 20}
	err = inner.run(ctx, func(texts [][]byte) (bool, error) {
		var err error
		more, err = f(texts)
		return more, err
	})
	return more, err
}

// rest is how far it is to the end.
func (s *scan) rest(from int64) int64 {
	if s.backwards {
		return from - s.to
	}
	return s.to - from
}

func (s *scan) step(from, by int64) int64 {
	if s.backwards {
		return from - by
	}
	return from + by
}

func (s *scan) window(from, to int64) predicate.Predicate {
	between := predicate.Between(s.attribute, min(from, to), max(from, to))
	if s.match == nil {
		return between
	}
	return predicate.And(s.match, between)
}
