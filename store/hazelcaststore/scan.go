package hazelcaststore

import (
	"context"
	"math"
	"sync"

	"github.com/hazelcast/hazelcast-go-client/predicate"
)

// scan reads the entries that match a predicate in the order of a numeric
// attribute, a window of them at a time. The client has no limit for a query, so
// each window is counted before it is read, and narrowed if it holds too many.
type scan struct {
	table     *table
	match     predicate.Predicate
	attribute string
	backwards bool  // from the highest value down
	from, to  int64 // in the order of the scan
	width     int64 // of the next window; the scan adapts it
	most      int64 // entries in one window
	then      string
}

// maxWindow is how many entries one query returns at most.
const maxWindow = 128

// run calls f with the texts of each window until it returns false. Within a
// window they come in any order.
func (s *scan) run(ctx context.Context, f func(texts [][]byte) (more bool, err error)) error {
	s.width = max(s.width, 0)
	for from := s.from; s.ahead(from) >= 0; {
		width := min(s.width, s.ahead(from))
		window := s.window(from, s.step(from, width))
		n, err := s.table.count(ctx, window)
		switch {
		case err != nil:
			return err
		case n == 0:
			if width == s.ahead(from) {
				return nil
			}
			next, found, err := s.table.least(ctx, s.attribute, s.window(s.step(from, width+1), s.to), s.backwards)
			if err != nil || !found {
				return err
			}
			from = next
			continue
		case n > s.most && width > 0:
			s.width = min(width/2, int64(float64(width)*float64(s.most)/float64(n)))
			continue
		case n > s.most && s.then != "": // many at one moment
			inner := &scan{table: s.table, match: window, attribute: s.then, from: math.MinInt64 / 4, to: math.MaxInt64, most: s.most, width: 1 << 20}
			stopped := false
			err := inner.run(ctx, func(texts [][]byte) (bool, error) {
				more, err := f(texts)
				stopped = !more
				return more, err
			})
			if err != nil || stopped {
				return err
			}
		default:
			texts, err := s.table.values(ctx, window)
			if err != nil {
				return err
			}
			if more, err := f(texts); !more || err != nil {
				return err
			}
		}
		if s.ahead(from) == width {
			return nil
		}
		from = s.step(from, width+1)
		if n < s.most/4 {
			s.width = min(2*s.width+1, math.MaxInt64/8)
		}
	}
	return nil
}

// ahead is how far it is to the end.
func (s *scan) ahead(from int64) int64 {
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

// widths remembers how wide the windows of a lane were, so that the next claim
// need not find out again.
type widths struct {
	mu sync.Mutex
	of map[string]int64
}

// firstWidth is a second.
const firstWidth = 1_000_000

func (w *widths) get(lane string) int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	if width, ok := w.of[lane]; ok {
		return width
	}
	return firstWidth
}

// set forgets what is known about other lanes once there are very many.
func (w *widths) set(lane string, width int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.of) > 10_000 {
		clear(w.of)
	}
	w.of[lane] = width
}
