package pgxstore

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5/pgtype"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/internal/stored"
)

// sorted are the outcomes of one settle: the deliveries, and the rest.
type sorted struct {
	done     names
	places   []uint64 // of the deliveries
	placed   int      // how many of the places are known
	rest     []driver.Outcome
	repeated []driver.Held
}

// sortOut parts the deliveries from the rest. If there is a rest, it leaves out
// repeated claims, since one row must not have two outcomes in one transaction:
// the first one counts and ends the claim. A repeated delivery among deliveries
// is harmless.
func sortOut(outcomes []driver.Outcome) (sorted, error) {
	mixed := false
	for i := range outcomes {
		o := &outcomes[i]
		if o.Kind < driver.Done || o.Kind > driver.Release {
			return sorted{}, fmt.Errorf("outbox: settle: event %s has an outcome of unknown kind %d", o.EventID, o.Kind)
		}
		mixed = mixed || o.Kind != driver.Done
	}
	s := sorted{done: newNames(len(outcomes)), places: make([]uint64, 0, len(outcomes))}
	if !mixed {
		for i := range outcomes {
			s.deliver(&outcomes[i])
		}
		return s, nil
	}
	seen := make(map[driver.Held]bool, len(outcomes))
	for i := range outcomes {
		o := &outcomes[i]
		switch {
		case seen[o.Held]:
			s.repeated = append(s.repeated, o.Held)
		case o.Kind == driver.Done:
			s.deliver(o)
		default:
			s.rest = append(s.rest, *o)
		}
		seen[o.Held] = true
	}
	// Locking in one order avoids deadlock.
	slices.SortFunc(s.rest, func(a, b driver.Outcome) int { return cmp.Compare(a.Seq, b.Seq) })
	return s, nil
}

func (s *sorted) deliver(o *driver.Outcome) {
	s.done.add(o.Held)
	s.places = append(s.places, o.Token)
	if o.Token != 0 {
		s.placed++
	}
}

// stale returns the outcomes that an answer does not name.
func (s *sorted) stale(ended *answer) []driver.Held {
	all := s.done
	for i := range s.rest {
		all.add(s.rest[i].Held) // behind what the deliveries have of the arrays
	}
	return append(ended.missing(&all), s.repeated...)
}

func restArguments(owner driver.Owner, rest []driver.Outcome) []any {
	n := len(rest)
	held := newNames(n)
	kinds, attempts := make([]int32, n), make([]int32, n)
	delays, reasons, failures := make([]int64, n), make([]string, n), make([]pgtype.Text, n)
	for i := range rest {
		o := &rest[i]
		held.add(o.Held)
		kinds[i] = int32(o.Kind)
		attempts[i] = int32(stored.AtMost(max(o.Attempts, 0)))
		delays[i] = micros(max(o.Delay, 0))
		reasons[i] = driver.CleanText(o.Error, driver.MaxErrorLength)
		failures[i] = textOrNull(string(o.Failures))
	}
	return []any{held.ids, held.seqs, held.numbers, kinds, attempts, delays, reasons, failures, string(owner)}
}
