package hazelcaststore

import (
	"context"
	"encoding/json"
	"sync"
	"testing"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// buried are events that have died.
func buried(t testing.TB, s *Store, n int) (ids []string) {
	t.Helper()
	es := make([]outbox.Event, n)
	for i := range es {
		es[i] = outbox.Event{Type: "Left", JSON: []byte(`1`)}
	}
	ids = writeAll(t, s, es...)
	owner := driver.NewOwner("a")
	cs, err := s.Claim(t.Context(), driver.ClaimRequest{Owner: owner, Lease: 1 << 40, Wants: []driver.Want{{Lane: "Left", Rows: n}}})
	if err != nil || len(cs) != n {
		t.Fatalf("claimed %d of %d events, error %v", len(cs), n, err)
	}
	outcomes := make([]driver.Outcome, n)
	for i, c := range cs {
		outcomes[i] = driver.Outcome{Held: c.Held, Kind: driver.Dead, Error: "no"}
	}
	if stale, err := s.Settle(t.Context(), owner, outcomes, false); err != nil || len(stale) > 0 {
		t.Fatalf("settle: stale %v, error %v", stale, err)
	}
	return ids
}

// noted has people write notes while f runs.
func noted(t testing.TB, s *Store, ids []string, f func()) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	for range 4 {
		other := newStore(t, connect(t), s.cfg)
		wg.Go(func() {
			for ctx.Err() == nil {
				if _, err := other.NoteDead(ctx, driver.DeadIDs(ids...), "seen"); err != nil && ctx.Err() == nil {
					t.Errorf("note: %v", err)
				}
			}
		})
	}
	f()
	stop()
	wg.Wait()
}

func TestALetterThatIsNotedWhileItIsReplayedGoes(t *testing.T) {
	s := fresh(t, Config{})
	ids := buried(t, s, 20)
	noted(t, s, ids, func() {
		for _, id := range ids {
			rs, err := s.ReplayDead(t.Context(), driver.DeadIDs(id))
			if err != nil || rs[0].Status != driver.DeadApplied {
				t.Errorf("replayed: %v, error %v", rs, err)
			}
		}
	})
	if n, err := s.CountDead(t.Context(), driver.DeadFilter{}); err != nil || n.N != 0 {
		t.Errorf("%d letters of events that were replayed are left (error %v)", n.N, err)
	}
}

func TestALetterThatIsNotedWhileItIsEditedIsResolved(t *testing.T) {
	s := fresh(t, Config{})
	ids := buried(t, s, 20)
	noted(t, s, ids, func() {
		for _, id := range ids {
			r, err := s.EditDead(t.Context(), driver.DeadKey{EventID: id}, driver.DeadEdit{JSON: json.RawMessage(`2`)})
			if err != nil || r.Status != driver.DeadApplied {
				t.Errorf("edited: %s, error %v", r.Status, err)
			}
		}
	})
	if n, err := s.CountDead(t.Context(), driver.DeadFilter{}); err != nil || n.N != 0 {
		t.Errorf("%d letters of events that were edited are open (error %v)", n.N, err)
	}
}
