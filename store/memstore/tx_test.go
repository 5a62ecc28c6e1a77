package memstore_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/memstore"
)

func begin(t *testing.T, s *memstore.Store) *memstore.Tx {
	t.Helper()
	tx, err := s.BeginTx(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return tx
}

func insert(t *testing.T, s *memstore.Store, tx *memstore.Tx, id string) error {
	t.Helper()
	_, err := s.Insert(t.Context(), tx, outbox.InsertRequest{Events: []outbox.Event{{ID: id, Type: "T", JSON: []byte(`1`)}}})
	return err
}

func claim(t *testing.T, s *memstore.Store, lease time.Duration) []driver.Claimed {
	t.Helper()
	cs, err := s.Claim(t.Context(), driver.ClaimRequest{Owner: "a", Lease: lease, Wants: []driver.Want{{Lane: "T", Rows: 100}}})
	if err != nil {
		t.Fatal(err)
	}
	return cs
}

func TestATransactionWaitsForAnotherThatWroteTheSameID(t *testing.T) {
	for _, tt := range []struct {
		name string
		end  func(tx *memstore.Tx) error
		want error
	}{
		{"that commits", (*memstore.Tx).Commit, outbox.ErrDuplicateID},
		{"that rolls back", (*memstore.Tx).Rollback, nil},
		{"that rolls back to a savepoint", func(tx *memstore.Tx) error { return tx.RollbackTo("s") }, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := memstore.New(memstore.Config{})
				first, second := begin(t, s), begin(t, s)
				if err := errors.Join(first.Savepoint("s"), insert(t, s, first, "x")); err != nil {
					t.Fatal(err)
				}
				answer := make(chan error, 1)
				go func() { answer <- insert(t, s, second, "x") }()
				synctest.Wait()
				select {
				case err := <-answer:
					t.Fatalf("answered %v while the first was open", err)
				default:
				}
				if err := tt.end(first); err != nil {
					t.Fatal(err)
				}
				if err := <-answer; !errors.Is(err, tt.want) {
					t.Errorf("error %v, expected %v", err, tt.want)
				}
			})
		})
	}
}

func TestWaitingEndsWithTheContextOrTheStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := memstore.New(memstore.Config{})
		first, second := begin(t, s), begin(t, s)
		if err := insert(t, s, first, "x"); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := s.Insert(ctx, second, outbox.InsertRequest{Events: []outbox.Event{{ID: "x", Type: "T", JSON: []byte(`1`)}}})
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v, expected the context's", err)
		}
		answer := make(chan error, 1)
		go func() { answer <- insert(t, s, second, "x") }()
		synctest.Wait()
		s.Close()
		if err := <-answer; !errors.Is(err, outbox.ErrStoreDown) {
			t.Errorf("error %v, expected ErrStoreDown", err)
		}
	})
}

func TestATransactionOfAnotherStoreIsRefused(t *testing.T) {
	s, other := memstore.New(memstore.Config{}), memstore.New(memstore.Config{})
	if err := insert(t, s, begin(t, other), "x"); !errors.Is(err, outbox.ErrNoTransaction) {
		t.Errorf("error %v, expected ErrNoTransaction", err)
	}
}

func TestAnEndedTransactionRefusesEverything(t *testing.T) {
	s := memstore.New(memstore.Config{})
	tx := begin(t, s)
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	var none *memstore.Tx
	for name, err := range map[string]error{
		"Commit":     tx.Commit(),
		"Rollback":   tx.Rollback(),
		"Savepoint":  tx.Savepoint("s"),
		"RollbackTo": tx.RollbackTo("s"),
		"Put":        tx.Put("k", "v"),
		"nil":        none.Commit(),
	} {
		if !errors.Is(err, outbox.ErrNoTransaction) {
			t.Errorf("%s: error %v, expected ErrNoTransaction", name, err)
		}
	}
	if err := begin(t, s).RollbackTo("unknown"); err == nil {
		t.Error("rolled back to a savepoint that does not exist")
	}
}

func TestBusinessValuesFollowTheTransaction(t *testing.T) {
	s := memstore.New(memstore.Config{})
	tx := begin(t, s)
	if err := errors.Join(tx.Put("kept", "1"), tx.Savepoint("s"), tx.Put("undone", "1"), tx.Put("kept", "2"), tx.RollbackTo("s")); err != nil {
		t.Fatal(err)
	}
	if _, found, _ := s.Get(t.Context(), "kept"); found {
		t.Error("seen before the commit")
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	if v, _, _ := s.Get(t.Context(), "kept"); v != "1" {
		t.Errorf("kept is %q, expected 1", v)
	}
	if _, found, _ := s.Get(t.Context(), "undone"); found {
		t.Error("a value survived its savepoint")
	}
}

func TestTheClockIsTheCallersToSet(t *testing.T) {
	now := time.Date(2030, 1, 2, 3, 4, 5, 123456789, time.FixedZone("", 3600))
	s := memstore.New(memstore.Config{Now: func() time.Time { return now }})
	tx := begin(t, s)
	if err := errors.Join(insert(t, s, tx, "x"), tx.Commit()); err != nil {
		t.Fatal(err)
	}
	cs := claim(t, s, time.Minute)
	if want := now.Truncate(time.Microsecond); len(cs) != 1 || !cs[0].CreatedAt.Equal(want) {
		t.Fatalf("claimed %+v, expected one row of %s", cs, want)
	}
	now = now.Add(time.Minute - time.Microsecond)
	if cs := claim(t, s, time.Minute); len(cs) != 0 {
		t.Errorf("claimed %+v before the lease was over", cs)
	}
	now = now.Add(time.Microsecond)
	if cs := claim(t, s, time.Minute); len(cs) != 1 || cs[0].Recovered != 1 {
		t.Errorf("claimed %+v at the end of the lease, expected the row, recovered", cs)
	}
}

func TestInstancesAreForgottenAfterAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := memstore.New(memstore.Config{})
		if err := s.Announce(t.Context(), driver.Instance{Owner: "a"}); err != nil {
			t.Fatal(err)
		}
		<-time.After(59 * time.Second)
		if in, _ := s.Instances(t.Context()); len(in) != 1 {
			t.Errorf("%d instances after 59 s, expected 1", len(in))
		}
		<-time.After(2 * time.Second)
		if in, _ := s.Instances(t.Context()); len(in) != 0 {
			t.Errorf("%d instances after 61 s, expected none", len(in))
		}
	})
}

func TestCountingStopsAtABound(t *testing.T) {
	s := memstore.New(memstore.Config{})
	w := outbox.NewWriter(s)
	es := make([]outbox.Event, 10_001)
	for i := range es {
		es[i] = outbox.Event{Type: "T", JSON: []byte("1")}
	}
	err := w.InTx(t.Context(), func(ctx context.Context, tx *memstore.Tx) error {
		_, err := w.WriteAll(ctx, tx, es...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	st, err := s.Stats(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if want := (driver.Count{N: 10_000, More: true}); st.Waiting != want || st.Lanes[0].Waiting != want {
		t.Errorf("waiting %+v, in the lane %+v, expected %+v", st.Waiting, st.Lanes[0].Waiting, want)
	}
}
