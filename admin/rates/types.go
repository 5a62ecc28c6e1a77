package rates

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/sendoff-go/outbox/admin"
)

// TypeRates is an event type, and how fast its events are delivered.
type TypeRates struct {
	admin.Lane
	Destinations []string
	Out, Failing float64 // per second; NaN if nothing was measured
	P50, P99     time.Duration
	State        string // one of the states below
}

// The states of an event type. A type has the first that applies.
const (
	Paused    = "paused"    // the type, or one of its destinations
	Down      = "down"      // one of its destinations
	Unclaimed = "unclaimed" // events wait, and no relay knows the type
	Behind    = "behind"    // an event has been due for half a minute
	OK        = "ok"
)

const behindBy = 30.0 // seconds

// ByType returns the event types that have waiting events or dead letters, or that
// a relay knows, with their rates in a step, the most urgent first.
func ByType(s admin.Status, w Step) []TypeRates {
	rows := map[string]*TypeRates{}
	of := func(name string) *TypeRates {
		if rows[name] == nil {
			rows[name] = &TypeRates{Lane: admin.Lane{Type: name}}
		}
		return rows[name]
	}
	claimed := map[string]bool{}
	for _, in := range s.Relays {
		for _, t := range in.Types {
			claimed[t] = true
			of(t)
		}
	}
	for _, l := range s.Types {
		of(l.Type).Lane = l
	}
	down, paused := map[string]bool{}, map[string]bool{}
	for _, name := range s.Paused {
		paused[name] = true
	}
	for _, d := range s.Destinations {
		for _, t := range d.Types {
			if row := rows[t]; row != nil {
				row.Destinations = append(row.Destinations, d.Name)
			}
			down[t] = down[t] || d.State == admin.DestinationDown
			paused[t] = paused[t] || d.State == admin.DestinationPaused
		}
	}
	for name, row := range rows {
		f := w.Types[name]
		row.Out, row.Failing = w.PerSecond(f.Delivered), w.PerSecond(f.Failed)
		row.P50, row.P99 = f.Percentile(0.5), f.Percentile(0.99)
		switch {
		case paused[name] || paused["*"]:
			row.State = Paused
		case down[name]:
			row.State = Down
		case !claimed[name] && row.Waiting.N > 0:
			row.State = Unclaimed
		case row.OldestDue > behindBy:
			row.State = Behind
		default:
			row.State = OK
		}
	}
	return slices.SortedFunc(func(yield func(TypeRates) bool) {
		for row := range maps.Values(rows) {
			if !yield(*row) {
				return
			}
		}
	}, func(a, b TypeRates) int {
		return cmp.Or(cmp.Compare(b.OldestDue, a.OldestDue), cmp.Compare(b.Dead.N, a.Dead.N), cmp.Compare(a.Type, b.Type))
	})
}
