package hazelcaststore

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

func contains(err error, parts ...string) bool {
	for _, p := range parts {
		if err == nil || !strings.Contains(err.Error(), p) {
			return false
		}
	}
	return true
}

// staged is a Tx with events, as a process leaves it that dies before Commit.
func staged(t testing.TB, s *Store, n int) *Tx {
	t.Helper()
	tx, _, _, err := s.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	w := outbox.NewWriter(s)
	for range n {
		if _, err := w.Write(t.Context(), tx, outbox.Event{Type: "Left", JSON: []byte(`1`)}); err != nil {
			t.Fatal(err)
		}
	}
	return tx
}

// inMaps runs f on the maps of the store.
func inMaps(t testing.TB, s *Store, f func(ctx context.Context, m *tables) error) {
	t.Helper()
	if err := s.call(t.Context(), f); err != nil {
		t.Fatal(err)
	}
}

// mendLater has another process mend what is half done, long after it began.
func mendLater(t testing.TB, s *Store) {
	t.Helper()
	other := newStore(t, connect(t), s.cfg)
	inMaps(t, other, func(ctx context.Context, m *tables) error {
		other.clock.low += micros(time.Hour)
		other.clock.up += micros(time.Hour)
		return other.mendAll(ctx, m, other.clock.now())
	})
}

func claimAll(t testing.TB, s *Store) []driver.Claimed {
	t.Helper()
	cs, err := s.Claim(t.Context(), driver.ClaimRequest{Owner: driver.NewOwner("a"), Lease: time.Hour, Wants: []driver.Want{{Lane: "Left", Rows: 100}}})
	if err != nil {
		t.Fatal(err)
	}
	return cs
}

func size(t testing.TB, s *Store) (events, txs int) {
	t.Helper()
	inMaps(t, s, func(ctx context.Context, m *tables) (err error) {
		if events, err = m.events.m.Size(ctx); err != nil {
			return err
		}
		txs, err = m.txs.m.Size(ctx)
		return err
	})
	return events, txs
}

func TestAWriteWhoseProcessDiedIsDiscarded(t *testing.T) {
	for _, n := range []int{1, 3} {
		s := fresh(t, Config{})
		tx := staged(t, s, n)
		mendLater(t, s)
		if events, _ := size(t, s); events != 0 {
			t.Errorf("%d of %d entries are left", events, n)
		}
		if err := tx.Commit(); err == nil || !contains(err, "OpenLimit") || errors.Is(err, outbox.ErrCommitUnknown) {
			t.Errorf("a commit after that: %v, expected an error that names OpenLimit", err)
		}
		if cs := claimAll(t, s); len(cs) != 0 {
			t.Errorf("claimed %d events that were discarded", len(cs))
		}
	}
}

func TestACommitWhoseProcessDiedIsFinished(t *testing.T) {
	s := fresh(t, Config{})
	tx := staged(t, s, 4)
	inMaps(t, s, func(ctx context.Context, m *tables) error { // Commit, up to its second entry
		d := decision{Commit: true, Mend: s.clock.now()}
		for _, r := range tx.staged {
			d.IDs = append(d.IDs, r.ID)
		}
		if _, err := m.txs.putIfAbsent(ctx, tx.id, encode(d), 0); err != nil {
			return err
		}
		_, err := s.release(ctx, m, tx.staged[0])
		return err
	})
	if cs := claimAll(t, s); len(cs) != 1 {
		t.Fatalf("claimed %d events, expected the one that is visible", len(cs))
	}
	mendLater(t, s)
	if cs := claimAll(t, s); len(cs) != 3 {
		t.Errorf("claimed %d events, expected the other three", len(cs))
	}
	if _, txs := size(t, s); txs != 0 {
		t.Errorf("%d decisions are left", txs)
	}
}

func TestADeathWhoseProcessDiedIsFinished(t *testing.T) {
	s := fresh(t, Config{})
	if err := staged(t, s, 1).Commit(); err != nil {
		t.Fatal(err)
	}
	c := claimAll(t, s)[0]
	inMaps(t, s, func(ctx context.Context, m *tables) error { // bury, its first step
		raw, err := m.events.get(ctx, c.EventID)
		if err != nil {
			return err
		}
		r, err := parseRow(raw)
		if err != nil {
			return err
		}
		next := r.entry
		next.Attempts, next.Error, next.Done, next.Mend = 3, "the reason", at(s.clock.now()), at(s.clock.now())
		next.end(statusFailed)
		next.unlock()
		_, err = s.replace(ctx, m.events, r, next)
		return err
	})
	mendLater(t, s)
	l, found, err := s.GetDead(t.Context(), c.EventID)
	if err != nil || !found || l.Attempts != 3 || l.Error != "the reason" || l.ClaimNo != c.ClaimNo {
		t.Errorf("the letter is %+v (found %t, error %v)", l, found, err)
	}
	if events, _ := size(t, s); events != 0 {
		t.Errorf("%d entries are left", events)
	}
}

func TestAReplayWhoseProcessDiedIsFinishedByTheNext(t *testing.T) {
	s := fresh(t, Config{})
	if err := staged(t, s, 1).Commit(); err != nil {
		t.Fatal(err)
	}
	c := claimAll(t, s)[0]
	if _, err := s.Settle(t.Context(), "nobody", nil, true); err != nil {
		t.Fatal(err)
	}
	inMaps(t, s, func(ctx context.Context, m *tables) error {
		raw, err := m.events.get(ctx, c.EventID)
		if err != nil {
			return err
		}
		r, err := parseRow(raw)
		if err != nil {
			return err
		}
		if _, err := s.bury(ctx, m, r, driver.Outcome{Kind: driver.Dead, Error: "no"}); err != nil {
			return err
		}
		letters, err := s.lettersOf(ctx, m, []string{c.EventID})
		if err != nil {
			return err
		}
		_, err = s.moveBack(ctx, m, letters[0], letters[0].Record) // and the letter stays
		return err
	})
	replay := func(s *Store) driver.DeadStatus {
		results, err := s.ReplayDead(t.Context(), driver.DeadIDs(c.EventID))
		if err != nil {
			t.Fatal(err)
		}
		return results[0].Status
	}
	if got := replay(s); got != driver.DeadConflict {
		t.Errorf("while the first may be at work: %s, expected a conflict", got)
	}
	later := newStore(t, connect(t), s.cfg)
	inMaps(t, later, func(context.Context, *tables) error {
		later.clock.low += micros(time.Minute)
		later.clock.up += micros(time.Minute)
		return nil
	})
	if got := replay(later); got != driver.DeadApplied {
		t.Errorf("after that: %s, expected it to be applied", got)
	}
	if _, found, err := s.GetDead(t.Context(), c.EventID); found || err != nil {
		t.Errorf("the letter is still there (error %v)", err)
	}
	if cs := claimAll(t, s); len(cs) != 1 || cs[0].ClaimNo != c.ClaimNo+2 {
		t.Errorf("claimed %+v, expected the event once", cs)
	}
}
