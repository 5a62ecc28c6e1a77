package core

import (
	"testing"
	"time"
)

// The database refuses one outcome and ends the connection of another, and nothing else
// is written: what is refused must not lose its count of refusals among the others.
func TestASampleThatIsRefusedStaysAlone(t *testing.T) {
	now := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	u := unsettled{cfg: &Config{SettleBatch: 10}, doubt: doubt{on: true}}
	l := &Lane{}
	u.later(&Batch{Items: []*Item{{lane: l}, {lane: l}}, apart: true, downs: 3}, now)
	sample, _ := u.next(now, false)
	if sample == nil || len(sample.Items) != 1 {
		t.Fatalf("the doubtful batch is not sampled: %+v", sample)
	}
	sample.refused++
	u.later(sample, now)
	if len(u.apart) != 2 || len(u.apart[0].Items) != 1 || u.apart[1].refused != 1 {
		t.Errorf("the refused outcome is back in its batch, of %d outcomes", len(u.apart[0].Items))
	}
}
