package hazelcaststore

import (
	"github.com/sendoff-go/outbox/driver"
)

// claimable is the one condition under which a row may be taken. Both bounds are
// by the cluster's clock: what is due by then, and what was locked until then.
func (e *entry) claimable(due, free int64) bool {
	return e.Status == statusPending && e.Due != nil && *e.Due <= due && e.Until <= free
}

// heldAs is the fence. Every change of a claimed row goes through it.
func (e *entry) heldAs(owner driver.Owner, h driver.Held) bool {
	if e.Status != statusPending || e.Seq != h.Seq || e.Claim != h.ClaimNo {
		return false
	}
	if h.ClaimNo == 0 {
		return e.Owner == "" // held by its writer, under the head start
	}
	return e.Owner != "" && e.Owner == owner
}

// take gives the row to owner. A previous owner that is still set never
// settled.
func (e *entry) take(owner driver.Owner, until int64) {
	if e.Owner != "" {
		e.Recovered++
	}
	e.Owner, e.Until = owner, until
	e.Claim++
}

// unlock ends the claim.
func (e *entry) unlock() { e.Owner, e.Until, e.Recovered = "", 0, 0 }

// free unlocks a row that stays pending, under a number that no outcome names.
func (e *entry) free() {
	e.unlock()
	e.Claim++
}

// end takes the row out of the index of pending ones.
func (e *entry) end(status string) {
	e.Status, e.Lane, e.Due = status, "", nil
}

func (e *entry) held() driver.Held {
	return driver.Held{EventID: e.ID, Seq: e.Seq, ClaimNo: e.Claim}
}

func (e *entry) position() driver.Position {
	return driver.Position{AvailableAt: fromMicros(*e.Due), Seq: e.Seq}
}

func (e *entry) claimed() driver.Claimed {
	event, problem := readRecord(e.ID, e.Type, e.Record)
	return driver.Claimed{
		Held: e.held(), Event: event, Attempts: e.Attempts, Recovered: e.Recovered,
		CreatedAt: fromMicros(e.Created), Position: e.position(), Failures: []byte(e.Failures), Problem: problem,
	}
}
