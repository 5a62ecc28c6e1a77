package sim

import (
	"errors"
	"slices"
	"time"

	"github.com/sendoff-go/outbox"
)

// eventType is a type of events and its destination.
type eventType struct {
	name      string
	batches   bool
	checks    bool
	hotQueue  int
	coldQueue int  // 0: much
	shaky     bool // some of its events fail
	leaves    bool // it has outages
	sticks    bool // some runs ignore the end of their context
	hangs     bool // runs and checks take all the time they have during an outage
	kills     bool // one of its events ends the process that runs it
	fair      bool // its lane is divided among tenants
	slow      bool // its runs take long, and may
	quick     bool // none does, but one
	attempts  int  // that its events may have
}

// timeout bounds the runs of the type.
func (t *eventType) timeout() time.Duration {
	if t.slow || t.quick {
		return 2 * lease
	}
	return runTimeout
}

// types are the lanes of every relay. The first two never fail, and share their
// keys; an event of the first that fails once is dead.
var types = []*eventType{
	{name: "placed", hotQueue: 1, attempts: 1},
	{name: "cancelled", hotQueue: 50, fair: true, attempts: maxAttempts},
	{name: "batched", batches: true, hotQueue: 50, fair: true, attempts: maxAttempts},
	{name: "shaky", hotQueue: 50, shaky: true, attempts: maxAttempts},
	{name: "away", batches: true, checks: true, hotQueue: 50, leaves: true, fair: true, attempts: maxAttempts},
	{name: "stuck", hotQueue: 50, coldQueue: 20, sticks: true, fair: true, attempts: maxAttempts},
	{name: "deadly", hotQueue: 50, kills: true, attempts: maxAttempts},
	{name: "deaf1", checks: true, hotQueue: 50, leaves: true, hangs: true, attempts: maxAttempts},
	{name: "deaf2", checks: true, hotQueue: 50, leaves: true, hangs: true, attempts: maxAttempts},
	{name: "deaf3", checks: true, hotQueue: 50, leaves: true, hangs: true, attempts: maxAttempts},
	{name: "deaf4", checks: true, hotQueue: 50, leaves: true, hangs: true, attempts: maxAttempts},
	{name: "deaf5", checks: true, hotQueue: 50, leaves: true, hangs: true, attempts: maxAttempts},
	{name: "deaf6", checks: true, hotQueue: 50, leaves: true, hangs: true, attempts: maxAttempts},
	{name: "quick", hotQueue: 50, coldQueue: 20, quick: true, attempts: 1},
	slow,
	{name: "foreign", hotQueue: 50, attempts: maxAttempts},
	{name: "partly", batches: true, hotQueue: 50, shaky: true, attempts: maxAttempts},
}

var slow = &eventType{name: "slow", hotQueue: 50, slow: true, attempts: 1}

// attemptsOf returns how many attempts events of that type may have.
func attemptsOf(name string) int {
	return types[slices.IndexFunc(types, func(t *eventType) bool { return t.name == name })].attempts
}

// isShaky reports whether some events of that type fail.
func isShaky(name string) bool {
	return slices.ContainsFunc(types, func(t *eventType) bool { return t.name == name && t.shaky })
}

// batch returns the number of rows claimed at once: few in a fair lane, so that
// claims are full and the lane is divided, and fewer than there are tenants, so
// that one claim is not for all of them.
func (t *eventType) batch() int {
	if t.fair {
		return 2
	}
	return 30
}

// tenantOf returns the tenant of an event: that of its key, or the n-th in turn.
func tenantOf(e outbox.Event, n int) string {
	if e.AggregateID != "" {
		n = int(e.AggregateID[len(e.AggregateID)-1])
	}
	return []string{"", "acme", "bolt", "corp"}[n%4]
}

var (
	errFails  = errors.New("simulated failure")
	errIsAway = errors.New("simulated outage")
)

// isAway reports whether the destination is unavailable now.
func (t *eventType) isAway(w *world) bool { return t.leaves && windows(w.plan.away).at(w.since()) }

// check is the connection check of a destination.
func (t *eventType) check(w *world) (took time.Duration, err error) {
	took = w.between(100*time.Microsecond, 10*time.Millisecond)
	if t.isAway(w) {
		if t.hangs {
			took = 5 * time.Second
		}
		return took, errIsAway
	}
	return took, nil
}
