package hazelcaststore

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/await"
	"github.com/sendoff-go/outbox/internal/faultproxy"
	"github.com/sendoff-go/outbox/internal/hazelrig"
)

// distant is a store on the maps of s whose answers can be lost. Its client
// repeats calls if told.
func distant(t testing.TB, s *Store, repeat bool) (*Store, *faultproxy.Proxy) {
	t.Helper()
	p := faultproxy.New(t, hazelrig.Address(t))
	cfg := clientConfig(p.Addr())
	cfg.Cluster.Unisocket, cfg.Cluster.RedoOperation = true, repeat
	client := start(t, cfg)
	t.Cleanup(func() {
		p.Pass()
		end(client)
	})
	far := newStore(t, client, Config{Name: s.cfg.Name, CallTimeout: 2 * time.Second})
	if repeat {
		far.cfg.CallTimeout = await.Patience
	}
	await.Until(t, "the clock is read", func() bool {
		return far.call(t.Context(), func(context.Context, *tables) error { return nil }) == nil
	})
	return far, p
}

// unheard runs write, whose answer never comes, and then breaks the connection.
func unheard(t testing.TB, s *Store, p *faultproxy.Proxy, key string, end func(), write func() error) error {
	t.Helper()
	p.Mute()
	wrote := make(chan error, 1)
	go func() { wrote <- write() }()
	await.Until(t, "the member has the entry", func() (found bool) {
		inMaps(t, s, func(ctx context.Context, m *tables) error {
			event, err := m.events.get(ctx, key)
			if err != nil {
				return err
			}
			decision, err := m.txs.get(ctx, key)
			found = event != nil || decision != nil
			return err
		})
		return found
	})
	end()
	return <-wrote
}

// The application goes on with the Tx after an error, as it may.
func TestAWriteThatIsRepeatedAfterALostAnswerIsPartOfTheTx(t *testing.T) {
	s := fresh(t, Config{})
	far, p := distant(t, s, false)
	w := outbox.NewWriter(far)
	e := outbox.Event{ID: outbox.NewID(), Type: "Left", JSON: []byte(`1`)}
	err := w.InTx(t.Context(), func(ctx context.Context, tx *Tx) error {
		err := unheard(t, s, p, e.ID, p.Refuse, func() error { _, err := w.WriteIfAbsent(ctx, tx, e); return err })
		if !errors.Is(err, outbox.ErrStoreDown) {
			t.Fatalf("without an answer: %v, expected ErrStoreDown", err)
		}
		p.Pass()
		await.Until(t, "the write is repeated", func() bool {
			existing, err := w.WriteIfAbsent(ctx, tx, e)
			if len(existing) > 0 {
				t.Errorf("the event counts as written before, which nobody has committed")
			}
			return err == nil
		})
		if existing, err := w.WriteIfAbsent(ctx, tx, e); err != nil || len(existing) != 1 {
			t.Errorf("a third time: existing %v, error %v, expected the event", existing, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if cs := claimAll(t, s); len(cs) != 1 || cs[0].EventID != e.ID {
		t.Errorf("claimed %d events, expected the one that was committed", len(cs))
	}
}

// A client repeats some calls by itself, and so do members when one leaves.
func TestAWriteThatTheClientRepeatsIsOne(t *testing.T) {
	s := fresh(t, Config{})
	far, p := distant(t, s, true)
	w := outbox.NewWriter(far)
	e := outbox.Event{ID: outbox.NewID(), Type: "Left", JSON: []byte(`1`)}
	err := w.InTx(t.Context(), func(ctx context.Context, tx *Tx) error {
		return unheard(t, s, p, e.ID, p.Cut, func() error {
			existing, err := w.WriteIfAbsent(ctx, tx, e)
			if len(existing) > 0 {
				t.Errorf("the event counts as written before")
			}
			return err
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	if cs := claimAll(t, s); len(cs) != 1 || cs[0].EventID != e.ID {
		t.Errorf("claimed %d events, expected the one that was committed", len(cs))
	}
}

func TestACommitThatTheClientRepeatsIsOne(t *testing.T) {
	s := fresh(t, Config{})
	far, p := distant(t, s, true)
	tx := staged(t, far, 3)
	if err := unheard(t, s, p, tx.id, p.Cut, tx.Commit); err != nil {
		t.Errorf("committed, and yet: %v", err)
	}
	if cs := claimAll(t, s); len(cs) != 3 {
		t.Errorf("claimed %d events, expected the three that were committed", len(cs))
	}
}

// The event is delivered and gone by the time that the client repeats the call.
func TestACommitThatTheClientRepeatsTooLateIsUnknown(t *testing.T) {
	s := fresh(t, Config{})
	far, p := distant(t, s, true)
	tx := staged(t, far, 1)
	p.Mute()
	committed := make(chan error, 1)
	go func() { committed <- tx.Commit() }()
	owner, lane := driver.NewOwner("a"), []driver.Want{{Lane: "Left", Rows: 1}}
	await.Until(t, "the event is delivered", func() bool {
		cs, err := s.Claim(t.Context(), driver.ClaimRequest{Owner: owner, Lease: time.Hour, Wants: lane})
		if err != nil || len(cs) == 0 {
			return false
		}
		stale, err := s.Settle(t.Context(), owner, []driver.Outcome{{Held: cs[0].Held, Kind: driver.Done}}, false)
		return err == nil && len(stale) == 0
	})
	p.Cut()
	if err := <-committed; !errors.Is(err, outbox.ErrCommitUnknown) {
		t.Errorf("got %v, expected ErrCommitUnknown", err)
	}
}

// A cluster that restarts has lost what was written.
func TestNoCommitIsAcknowledgedWhoseEntriesAreGone(t *testing.T) {
	for _, n := range []int{1, 3} {
		s := fresh(t, Config{})
		tx := staged(t, s, n)
		inMaps(t, s, func(ctx context.Context, m *tables) error { return m.events.m.Clear(ctx) })
		if err := tx.Commit(); !errors.Is(err, outbox.ErrCommitUnknown) {
			t.Errorf("%d events: %v, expected ErrCommitUnknown", n, err)
		}
	}
}
