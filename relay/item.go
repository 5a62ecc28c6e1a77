package relay

import (
	"encoding/json"
	"time"

	"github.com/sendoff-go/outbox"
)

// item is one event in memory, from the moment it is held until it is settled.
type item struct {
	held      outbox.Held
	locator   uint64 // of the row, until it is renewed
	event     *outbox.Event
	lane      *lane
	target    *outbox.Target // nil: unroutable
	attempts  int
	recovered int
	failures  json.RawMessage
	problem   error
	createdAt time.Time
	hot       bool
	size      int
	state     state
	since     time.Time // when the process learnt of it

	// The lease, counted in the process from before the statement was sent.
	leaseFrom time.Time
	leaseFor  time.Duration

	breaker  *breaker // of the target; nil without one
	holdsKey bool     // others of its aggregate wait for it
	follower bool     // in a batch behind another of its aggregate
	lapsed   bool     // out of the queues until its lease is renewed
	yielded  bool     // let others go first
	taking   bool     // a claim by name is under way, or its answer was lost

	run     *runContext // while running
	started time.Time   // of the run
	lone    bool        // a suspect that runs, or ran and is not settled

	outcome outbox.Outcome
	sent    bool // at least once, with an answer or without
	// next is a newer claim of the same row that this process got while this
	// one was still in memory.
	next *item
}

type state uint8

const (
	queued   state = iota // in a lane, behind its aggregate, or being confirmed
	running               // handed to its destination
	decided               // has an outcome that is not written yet
	settling              // a statement with the outcome is under way
	dropped               // not ours any more: never to run
	stuck                 // settled, while its run goes on regardless
)

// key is what is handled one at a time.
type key struct{ aggregateType, aggregateID string }

func (it *item) key() (key, bool) {
	return key{it.event.AggregateType, it.event.AggregateID}, it.event.AggregateID != ""
}

// left is what remains of the lease.
func (it *item) left(now time.Time) time.Duration { return it.leaseFor - elapsed(it.leaseFrom, now) }

// elapsed is the larger of what the monotonic and the wall clock say: the
// first stands still while the machine is suspended, the second can be set back.
func elapsed(from, now time.Time) time.Duration {
	return max(now.Sub(from), now.Round(0).Sub(from.Round(0)))
}

// suspectAfter is the number of claims in a row whose owners went away that
// makes an event a suspect; after as many lone runs that ended so, it is dead.
const suspectAfter = 3

func (it *item) suspect() bool { return it.recovered >= suspectAfter }

// unexplained reports attempts that are not in the history and were not lone
// runs either, since each of those is followed by another claim: somebody else
// counted them, or the history cannot be read.
func (it *item) unexplained() bool { return it.loneRuns() > it.recovered-suspectAfter }

// loneRuns counts the attempts that were begun and never settled: a lone run
// writes its number beforehand, a settled failure is in the history.
func (it *item) loneRuns() int {
	last := 0
	if fs := outbox.ParseFailures(it.failures); len(fs) > 0 {
		last = fs[len(fs)-1].Attempt
	}
	return it.attempts - last
}
