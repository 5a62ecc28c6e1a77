package pgxstore_test

import (
	"context"
	"maps"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/sendoff-go/outbox"
)

// nested is one story of a transaction with others nested in it.
type nested func(ctx context.Context, w *outbox.Writer[pgx.Tx], tx pgx.Tx) error

// inside runs f in a transaction nested in tx, and keeps or undoes it.
func inside(keep bool, f nested) nested {
	return func(ctx context.Context, w *outbox.Writer[pgx.Tx], tx pgx.Tx) error {
		inner, err := tx.Begin(ctx)
		if err != nil {
			return err
		}
		if err := f(ctx, w, inner); err != nil {
			return err
		}
		if keep {
			return inner.Commit(ctx)
		}
		return inner.Rollback(ctx)
	}
}

func writes(id, payload string) nested {
	return func(ctx context.Context, w *outbox.Writer[pgx.Tx], tx pgx.Tx) error {
		e := event(id)
		e.JSON = []byte(payload)
		_, err := w.Write(ctx, tx, e)
		return err
	}
}

func inTurn(steps ...nested) nested {
	return func(ctx context.Context, w *outbox.Writer[pgx.Tx], tx pgx.Tx) error {
		for _, step := range steps {
			if err := step(ctx, w, tx); err != nil {
				return err
			}
		}
		return nil
	}
}

func TestNestedTransactionsDeliverWhatTheyCommitted(t *testing.T) {
	const a, b = `"a"`, `"b"`
	store, pool := open(t)
	for _, tt := range []struct {
		name  string
		story nested
		rows  map[string]string // that were committed, with their payloads
		hot   []string          // of those, what may be delivered from memory
	}{
		{"undone after a write", inTurn(writes("1", a), inside(false, writes("2", a))),
			map[string]string{"1": a}, []string{"1"}},
		{"undone before any write", inTurn(inside(false, writes("2", a)), writes("1", a)),
			map[string]string{"1": a}, nil},
		{"kept after a write", inTurn(writes("1", a), inside(true, writes("2", a))),
			map[string]string{"1": a, "2": a}, []string{"1"}},
		{"kept before any write", inTurn(inside(true, writes("2", a)), writes("1", a)),
			map[string]string{"1": a, "2": a}, []string{"2"}},
		{"kept inside one that is undone", inTurn(writes("1", a), inside(false, inTurn(writes("2", a), inside(true, writes("3", a))))),
			map[string]string{"1": a}, []string{"1"}},
		{"undone inside one that is kept", inTurn(writes("1", a), inside(true, inTurn(writes("2", a), inside(false, writes("3", a))))),
			map[string]string{"1": a, "2": a}, []string{"1"}},
		{"the same id written again after it was undone", inTurn(writes("0", a), inside(false, writes("1", a)), writes("1", b)),
			map[string]string{"0": a, "1": b}, []string{"0", "1"}},
		{"the same id written again inside another", inTurn(inside(false, writes("1", a)), inside(true, writes("1", b))),
			map[string]string{"1": b}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			exec(t, pool, "TRUNCATE outbox_event")
			h := &hook{}
			w := outbox.NewWriter[pgx.Tx](store, outbox.WithCommitHook(h))
			if err := w.InTx(t.Context(), func(ctx context.Context, tx pgx.Tx) error { return tt.story(ctx, w, tx) }); err != nil {
				t.Fatal(err)
			}
			if got := h.hot(t, store); !slices.Equal(got, tt.hot) {
				t.Errorf("from memory would be delivered %v, expected %v", got, tt.hot)
			}
			for _, w := range h.committed {
				if payload := tt.rows[w.Event.ID]; w.Hot() && !w.Confirm && payload != string(w.Event.JSON) {
					t.Errorf("event %s is in memory as %s, committed was %s", w.Event.ID, w.Event.JSON, payload)
				}
			}
			if got := payloads(t, pool); !maps.Equal(got, tt.rows) {
				t.Errorf("the rows are %v, expected %v", got, tt.rows)
			}
		})
	}
}

func payloads(t testing.TB, pool *pgxpool.Pool) map[string]string {
	t.Helper()
	rows, _ := pool.Query(t.Context(), "SELECT event_id, payload::text FROM outbox_event") // rows has the error too
	found := map[string]string{}
	var id, payload string
	_, err := pgx.ForEachRow(rows, []any{&id, &payload}, func() error { found[id] = payload; return nil })
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestOnlyWritesOutsideOfNestedTransactionsAreTopLevel(t *testing.T) {
	store, pool := open(t)
	tx, err := pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback(t.Context()) }()
	topLevel := func(id string, tx pgx.Tx) bool {
		t.Helper()
		answers, err := store.Insert(t.Context(), tx, outbox.InsertRequest{Events: []outbox.Event{event(id)}})
		if err != nil || len(answers) != 1 || answers[0].Seq == 0 {
			t.Fatalf("answers %v, error %v", answers, err)
		}
		return answers[0].TopLevel
	}
	if !topLevel("first", tx) {
		t.Error("the first write of a transaction is top-level")
	}
	inner, err := tx.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if topLevel("inner", inner) {
		t.Error("a write through a nested transaction is not top-level")
	}
	if topLevel("outer", tx) {
		t.Error("a write through the outer transaction, while the nested one is open, is not top-level")
	}
	if err := inner.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !topLevel("last", tx) {
		t.Error("a write after the nested transaction has ended is top-level")
	}
}
