package kvstore

import (
	"cmp"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// row is an event and what happened to it. Zero times and an empty owner are what
// NULL is in SQL.
type row struct {
	Event       outbox.Event
	JSON        []byte // in place of Event.JSON, which json.Marshal would compact
	Seq         int64
	CreatedAt   time.Time
	AvailableAt time.Time
	DoneAt      time.Time
	Attempts    int
	Failures    []byte

	LockedBy    driver.Owner
	LockedUntil time.Time
	ClaimNo     int64
	Recovered   int
}

func newRow(e outbox.Event, seq int64, now time.Time, headStart time.Duration) row {
	e = e.Clone() // the caller may reuse its buffers
	r := row{Event: e, JSON: e.JSON, Seq: seq, CreatedAt: now, AvailableAt: now}
	if e.DeliverAfter > 0 {
		r.AvailableAt = now.Add(e.DeliverAfter)
	} else if !e.AvailableAt.IsZero() {
		r.AvailableAt = e.AvailableAt.UTC().Truncate(time.Microsecond)
	}
	if headStart > 0 {
		r.LockedUntil = now.Add(headStart)
	}
	r.Event.JSON, r.Event.AvailableAt, r.Event.DeliverAfter = nil, time.Time{}, 0
	return r
}

func (r row) pending() bool { return r.DoneAt.IsZero() }

// free is rule 1: pending, its time has come, and nobody has it.
func (r row) free(now time.Time) bool {
	return r.pending() && !r.AvailableAt.After(now) && !r.LockedUntil.After(now)
}

// take is rule 2. An owner that is still there went away without a word.
func (r *row) take(owner driver.Owner, until time.Time) {
	if r.LockedBy != "" {
		r.Recovered++
	}
	r.LockedBy, r.LockedUntil = owner, until
	r.ClaimNo++
}

// heldAs is rule 3, the fence: event, seq, owner and number. Number 0 is that of
// a head start, which has no owner.
func (r row) heldAs(owner driver.Owner, h driver.Held) bool {
	if !r.pending() || r.Event.ID != h.EventID || r.Seq != h.Seq || r.ClaimNo != h.ClaimNo {
		return false
	}
	if h.ClaimNo == 0 {
		return r.LockedBy == ""
	}
	return r.LockedBy != "" && r.LockedBy == owner
}

// giveUp ends a claim and leaves the row to others. The number moves on, so that
// what freed the row cannot free it a second time.
func (r *row) giveUp() {
	r.LockedBy, r.LockedUntil, r.Recovered = "", time.Time{}, 0
	r.ClaimNo++
}

func (r row) held() driver.Held {
	return driver.Held{EventID: r.Event.ID, Seq: r.Seq, ClaimNo: r.ClaimNo}
}

func (r row) position() driver.Position {
	return driver.Position{AvailableAt: r.AvailableAt, Seq: r.Seq}
}

func comparePositions(a, b driver.Position) int {
	return cmp.Or(a.AvailableAt.Compare(b.AvailableAt), cmp.Compare(a.Seq, b.Seq))
}

// event is a copy: a receiver owns what it gets.
func (r row) event() outbox.Event {
	e := r.Event
	e.JSON = r.JSON
	return e.Clone()
}

func (r row) size() int { return len(r.JSON) + len(r.Event.Bytes) }
