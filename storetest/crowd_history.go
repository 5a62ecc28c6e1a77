package storetest

import (
	"fmt"

	"github.com/sendoff-go/outbox/driver"
)

// history is what happened to one row, by claim number.
type history struct {
	hot      bool
	claims   map[int64]claimed
	ends     map[int64]driver.OutcomeKind
	refused  []int64 // claims that were no longer held
	expired  int     // how often its lease may have been ended
	replayed int
}

// claimed is what a claim returned about its row.
type claimed struct {
	attempts, recovered int
	byName              bool
}

func newHistory(hot bool) *history {
	return &history{hot: hot, claims: map[int64]claimed{}, ends: map[int64]driver.OutcomeKind{}}
}

// fate is where a history ends.
type fate struct {
	kind     driver.OutcomeKind // Done or Dead
	number   int64
	attempts int
}

// follow goes through the numbers of a row. None may be missing: each claim
// takes one, and so does an outcome that frees the row.
func (h *history) follow() (fate, error) {
	var f fate
	recovered, takeovers, replays, seen := 0, 0, 0, 0
	free := !h.hot // nobody has the row at this number
	for {
		c, isClaim := h.claims[f.number]
		kind, ended := h.ends[f.number]
		switch {
		case isClaim && (c.attempts != f.attempts || c.recovered != recovered):
			return f, fmt.Errorf("claim %d says %d attempts and %d recoveries, there were %d and %d", f.number, c.attempts, c.recovered, f.attempts, recovered)
		case free && (isClaim || ended):
			return f, fmt.Errorf("number %d belongs to nobody, but was claimed (%t) or settled (%t)", f.number, isClaim, ended)
		case ended && kind == driver.Done:
			f.kind = kind
		case ended && kind == driver.Dead:
			if f.attempts++; replays == h.replayed {
				f.kind = kind
				break
			}
			replays++
			free, f.attempts, recovered = true, 0, 0
		case ended:
			if kind == driver.Retry {
				f.attempts++
			}
			free, recovered = true, 0
		default: // somebody took it, or nobody has it any more
			next, taken := h.claims[f.number+1]
			if !taken {
				return f, fmt.Errorf("the row was lost after number %d", f.number)
			}
			if isClaim {
				recovered++
			}
			if !free && !next.byName {
				takeovers++
			}
			free = false
		}
		if isClaim {
			seen++
		}
		if f.kind != 0 {
			break
		}
		f.number++
	}
	switch {
	case seen != len(h.claims):
		return f, fmt.Errorf("%s with number %d, but of its claims %v only %d came before", f.kind, f.number, h.claims, seen)
	case takeovers > h.expired:
		return f, fmt.Errorf("it was taken from its owner %d times, but its lease ended at most %d times", takeovers, h.expired)
	case replays != h.replayed:
		return f, fmt.Errorf("it was replayed %d times, but died only %d times before", h.replayed, replays)
	}
	return f, h.explain()
}

// explain checks that every refused claim had been settled or taken over.
func (h *history) explain() error {
	for _, n := range h.refused {
		_, settled := h.ends[n]
		_, taken := h.claims[n+1]
		if !settled && !taken {
			return fmt.Errorf("claim %d was refused, but nobody else had the row", n)
		}
	}
	return nil
}

// audit follows every row and compares the store with where they end.
func (k *kit[Tx]) audit(c *crowd) {
	k.Helper()
	var done int
	var dead []string
	for id, h := range c.rows {
		f, err := h.follow()
		if err != nil {
			k.Fatalf("event %s: %v; claims %v, outcomes %v", id, err, h.claims, h.ends)
		}
		if f.kind != driver.Dead {
			done++
			continue
		}
		dead = append(dead, id)
		if !has(k.Subject, DeadLetters) {
			continue
		}
		if l := k.letter(id); l.ClaimNo != f.number || l.Attempts != f.attempts {
			k.Errorf("event %s died with number %d after %d attempts, its letter says %d and %d", id, f.number, f.attempts, l.ClaimNo, l.Attempts)
		}
	}
	k.nonePending()
	k.dead(dead...)
	k.sweepAll(done)
}
