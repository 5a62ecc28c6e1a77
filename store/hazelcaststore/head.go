package hazelcaststore

import (
	"context"
	"math"
	"sync"
)

// farPast is earlier than any time of an event. It leaves room for arithmetic.
const farPast = math.MinInt64 / 4

// heads remembers where scans began, so that the next one need not look for the
// first entry among all of them. It saves time and decides nothing: what lies
// before it is counted each time.
type heads struct {
	mu    sync.Mutex
	known map[string]head
}

// head is where a scan begins, how wide its windows were, and how large the
// payloads were on average.
type head struct {
	from, width int64
	size        int
}

const (
	firstWidth = 1_000_000 // µs
	firstSize  = 32 << 10
	maxHeads   = 10_000
)

func (h *heads) get(name string) head {
	h.mu.Lock()
	defer h.mu.Unlock()
	if known, ok := h.known[name]; ok {
		return known
	}
	return head{farPast, firstWidth, firstSize}
}

// set forgets all others once there are very many.
func (h *heads) set(name string, to head) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.known) > maxHeads {
		clear(h.known)
	}
	h.known[name] = to
}

// begin finds the first entry of a scan from the far past on; found is false if
// there is none.
func (s *scan) begin(ctx context.Context, known head) (found bool, err error) {
	s.width = known.width
	before := min(known.from-1, s.to)
	if known.from > farPast {
		n, err := s.table.count(ctx, s.window(farPast, before))
		if err != nil {
			return false, err
		}
		if n == 0 {
			s.from = known.from
			return s.from <= s.to, nil
		}
	} else {
		before = s.to
	}
	s.from, found, err = s.table.least(ctx, s.attribute, s.window(farPast, before))
	return found, err
}
