package core

import (
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// Takes are the take loop's questions and answers: hot events to claim by id, and
// which are claimed.
type Takes struct{ *memory }

// Due returns hot events whose head start is nearly over. They are claimed
// by id; until the answer they do not run, since the claim changes their claim
// number and an outcome under the old one would have no effect.
func (ts *Takes) Due() []*Item {
	var take []*Item
	for _, it := range ts.book.items {
		if it.state.waits() && it.state != Confirming && it.held.ClaimNo == 0 &&
			it.lease.left(ts.now) < ts.cfg.Margin+it.lease.length/10 {
			if it.state != Taking {
				ts.move(it, Taking)
			}
			take = append(take, it)
			if len(take) == ts.cfg.SettleBatch {
				break
			}
		}
	}
	return take
}

// Taken reports which of the events are now claimed, and when the statement was
// sent. The others belong to another relay.
func (ts *Takes) Taken(items []*Item, sent time.Time, got []driver.Held) {
	taken := make(map[string]driver.Held, len(got))
	for _, h := range got {
		taken[h.EventID] = h
	}
	for _, it := range items {
		if it.state != Taking || it.held.ClaimNo != 0 { // a newer claim came first
			continue
		}
		h, ok := taken[it.held.EventID]
		if !ok {
			ts.drop(it)
			continue
		}
		it.taken(h, sent, ts.cfg.Lease)
		switch {
		case ts.phase == Stopping || it.lane.shut() || it.Dest.breakerOrNil().shut():
			ts.giveBack(it, 0)
		default:
			ts.resume(it)
		}
	}
}
