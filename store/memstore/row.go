package memstore

import (
	"encoding/json"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

type status int

const (
	statusNew   status = 0
	statusDone  status = 1
	statusRetry status = 2
)

// row is a row of the outbox table. A zero time and an empty owner are NULL.
type row struct {
	event       outbox.Event
	seq         int64
	status      status
	attempts    int
	availableAt time.Time
	createdAt   time.Time
	doneAt      time.Time
	lastError   string
	failures    json.RawMessage

	lockedBy    driver.Owner
	lockedUntil time.Time
	claimNo     int64
	recovered   int

	sessions int // how many have locked the row; see [Store.LockRow]
}

// pending: neither delivered nor given up.
func (r *row) pending() bool { return r.status == statusNew || r.status == statusRetry }

// due: available_at has passed.
func (r *row) due(now time.Time) bool { return !r.availableAt.After(now) }

// taken: another session has locked the row, whatever the row itself says.
func (r *row) taken() bool { return r.sessions > 0 }

// locked: a claim or a head start keeps others away.
func (r *row) locked(now time.Time) bool { return r.lockedUntil.After(now) }

// claimable is the one condition under which a row may be taken.
func (r *row) claimable(now time.Time) bool {
	return r.pending() && r.due(now) && !r.locked(now) && !r.taken()
}

// unowned: as its writer left it, with or without a head start.
func (r *row) unowned() bool { return r.lockedBy == "" && r.claimNo == 0 }

// heldAs is the fence. Every call that changes a claimed row goes through it,
// so an outcome of an earlier claim, of an earlier row of the same id, or of a
// row that has ended finds nothing to change.
func (r *row) heldAs(owner driver.Owner, h driver.Held) bool {
	if r == nil || !r.pending() || r.seq != h.Seq || r.claimNo != h.ClaimNo {
		return false
	}
	if h.ClaimNo == 0 {
		return r.unowned() // held by its writer, under the head start
	}
	return r.lockedBy != "" && r.lockedBy == owner
}

// take gives the row to owner. A previous owner that is still set never
// settled: it died or stalled, and that is counted.
func (r *row) take(owner driver.Owner, until time.Time) {
	if r.lockedBy != "" {
		r.recovered++
	}
	r.lockedBy, r.lockedUntil = owner, until
	r.claimNo++
}

// unlock ends the claim. The count of lost owners starts over with the next
// one.
func (r *row) unlock() {
	r.lockedBy, r.lockedUntil = "", time.Time{}
	r.recovered = 0
}

// free unlocks a row that stays pending. The number increases, so the outcome
// that freed it cannot be applied a second time.
func (r *row) free() {
	r.unlock()
	r.claimNo++
}

func (r *row) held() driver.Held {
	return driver.Held{EventID: r.event.ID, Seq: r.seq, ClaimNo: r.claimNo}
}

func (r *row) position() driver.Position {
	return driver.Position{AvailableAt: r.availableAt, Seq: r.seq}
}

// Peek returns the state of a row: who has claimed it and until when, under
// which number, and whether it is still pending. Found is false if there is no
// such row. It is for tests.
func (s *Store) Peek(id string) (owner driver.Owner, until time.Time, claimNo int64, pending, found bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.rows[id]
	if r == nil {
		return "", time.Time{}, 0, false, false
	}
	return r.lockedBy, r.lockedUntil, r.claimNo, r.pending(), true
}
