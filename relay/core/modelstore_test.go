package core

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// modelStore is the rows of an outbox table. The rules of the claim are those of
// package memstore, without what a core does not see.
type modelStore struct {
	rows    map[string]*modelRow // by id
	pending []*modelRow          // the same, by position
	ended   []string             // ids of rows that are delivered or dead, which may be written again
	seq     int64
}

// modelRow is a row that is neither delivered nor dead.
type modelRow struct {
	event       outbox.Event
	seq         int64
	createdAt   time.Time
	availableAt time.Time
	attempts    int
	failures    json.RawMessage

	owner     driver.Owner // empty: none
	until     time.Time    // when its lease or its head start ends
	claimNo   int64
	recovered int

	taken     time.Time // until then another session has locked it
	delivered bool
}

func newModelStore() *modelStore { return &modelStore{rows: map[string]*modelRow{}} }

func (s *modelStore) nextSeq() int64 {
	s.seq++
	return s.seq
}

func (s *modelStore) insert(w *outbox.Written) *modelRow {
	r := &modelRow{event: w.Event, seq: w.Seq, createdAt: w.Since, availableAt: w.Since}
	if w.HeadStart > 0 {
		r.until = w.Since.Add(w.HeadStart)
	}
	s.rows[r.event.ID] = r
	s.pending = append(s.pending, r)
	return r
}

// claim takes what the want has room for, in the order of the position, of what has been
// due for that long.
func (s *modelStore) claim(owner driver.Owner, want driver.Want, now time.Time, age, lease time.Duration) (got []*modelRow) {
	slices.SortFunc(s.pending, func(a, b *modelRow) int {
		return cmp.Or(a.availableAt.Compare(b.availableAt), cmp.Compare(a.seq, b.seq))
	})
	for _, r := range s.pending {
		if len(got) == want.Rows || r.availableAt.After(now.Add(-age)) {
			break
		}
		if r.event.Type == want.Lane && r.claimable(now) && after(r.position(), want.After) && (!want.ByTenant || r.event.TenantID == want.Tenant) {
			r.take(owner, now.Add(lease))
			got = append(got, r)
		}
	}
	return got
}

// tenants lists the tenants of a lane with rows, by name.
func (s *modelStore) tenants(lane, after string, limit int) (list []driver.WaitingTenant) {
	seen := map[string]bool{}
	for _, r := range s.pending {
		if t := r.event.TenantID; r.event.Type == lane && t > after && !seen[t] {
			seen[t] = true
			list = append(list, driver.WaitingTenant{Tenant: t, Due: true})
		}
	}
	slices.SortFunc(list, func(a, b driver.WaitingTenant) int { return cmp.Compare(a.Tenant, b.Tenant) })
	return list[:min(len(list), limit)]
}

// takeByID claims rows as their writer left them, whatever is left of the head start.
func (s *modelStore) takeByID(held []driver.Held, now time.Time, lease time.Duration) (got []driver.Held) {
	for _, h := range s.confirm(held) {
		if r := s.rows[h.EventID]; !r.isTaken(now) {
			r.take(thisRelay, now.Add(lease))
			got = append(got, r.held())
		}
	}
	return got
}

// confirm returns the rows that are as their writer left them.
func (s *modelStore) confirm(held []driver.Held) (found []driver.Held) {
	for _, h := range held {
		if h.ClaimNo == 0 && s.rows[h.EventID].heldAs(h) {
			found = append(found, h)
		}
	}
	return found
}

// renew extends leases. Attempts, if not zero, are written to the rows.
func (s *modelStore) renew(held []driver.Held, attempts int, now time.Time, lease time.Duration) (lost, locked []driver.Held) {
	for _, h := range held {
		switch r := s.rows[h.EventID]; {
		case !r.heldAs(h):
			lost = append(lost, h)
		case r.isTaken(now):
			locked = append(locked, h)
		default:
			r.until = now.Add(lease)
			r.attempts = max(r.attempts, attempts)
		}
	}
	return lost, locked
}

// settle applies outcomes, each under its fence.
func (s *modelStore) settle(held []driver.Held, outcomes []Outcome, now time.Time) (stale, locked []driver.Held) {
	for i, h := range held {
		switch r := s.rows[h.EventID]; {
		case !r.heldAs(h):
			stale = append(stale, h)
		case r.isTaken(now):
			locked = append(locked, h)
		case outcomes[i].Kind == driver.Done || outcomes[i].Kind == driver.Dead:
			s.end(r)
		default:
			r.again(&outcomes[i], now)
		}
	}
	return stale, locked
}

func (s *modelStore) end(r *modelRow) {
	delete(s.rows, r.event.ID)
	s.pending = slices.DeleteFunc(s.pending, func(o *modelRow) bool { return o == r })
	s.ended = append(s.ended, r.event.ID)
}

// deliver notes that a destination got the event.
func (s *modelStore) deliver(h driver.Held) {
	if r := s.rows[h.EventID]; r != nil && r.seq == h.Seq {
		r.delivered = true
	}
}

// wasDelivered reports that of a row that may have ended since.
func (s *modelStore) wasDelivered(h driver.Held) bool {
	r := s.rows[h.EventID]
	return r == nil || r.seq != h.Seq || r.delivered
}

func (r *modelRow) isTaken(now time.Time) bool { return r.taken.After(now) }

func (r *modelRow) claimable(now time.Time) bool { return !r.until.After(now) && !r.isTaken(now) }

// heldAs is the fence.
func (r *modelRow) heldAs(h driver.Held) bool {
	if r == nil || r.seq != h.Seq || r.claimNo != h.ClaimNo {
		return false
	}
	return h.ClaimNo == 0 && r.owner == "" || h.ClaimNo > 0 && r.owner == thisRelay
}

func (r *modelRow) take(owner driver.Owner, until time.Time) {
	if r.owner != "" {
		r.recovered++
	}
	r.owner, r.until = owner, until
	r.claimNo++
}

// again frees a row that will be tried again.
func (r *modelRow) again(o *Outcome, now time.Time) {
	if r.attempts = o.Attempts; o.Kind == driver.Retry {
		r.failures = fmt.Appendf(nil, `[{"attempt":%d}]`, o.Attempts)
	}
	if o.Kind == driver.Retry || o.Delay > 0 {
		r.availableAt = now.Add(o.Delay)
	}
	r.owner, r.until, r.recovered = "", time.Time{}, 0
	r.claimNo++
}

func (r *modelRow) held() driver.Held {
	return driver.Held{EventID: r.event.ID, Seq: r.seq, ClaimNo: r.claimNo}
}

func (r *modelRow) position() driver.Position {
	return driver.Position{AvailableAt: r.availableAt, Seq: r.seq}
}

func (r *modelRow) claimed() driver.Claimed {
	return driver.Claimed{
		Held: r.held(), Event: r.event, Attempts: r.attempts, Recovered: r.recovered,
		CreatedAt: r.createdAt, Position: r.position(), Failures: r.failures,
	}
}
