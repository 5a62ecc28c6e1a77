package dialecttest

import (
	"context"
	"database/sql"
	"errors"
	"testing"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/inbox"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

func ormConsumes(t *testing.T, s Subject) {
	db := s.Fresh(t)()
	store := migrated(t, s, db, sqlstore.Tables{})
	consumer, err := inbox.New(store.ORMLedger(), inbox.Config{Group: "billing"})
	must(t, err)
	message := outbox.Received{EventID: outbox.NewID()}
	join := func(end func(tx *sql.Tx) error) (fresh bool) {
		t.Helper()
		tx, err := db.BeginTx(t.Context(), nil)
		must(t, err)
		defer func() { _ = tx.Rollback() }() // after its end it has nothing to do
		fresh, err = consumer.ConsumeIn(t.Context(), wrapped{tx}, message)
		must(t, err)
		must(t, end(tx))
		return fresh
	}
	if !join((*sql.Tx).Rollback) || !join((*sql.Tx).Commit) || join((*sql.Tx).Commit) {
		t.Error("rolled back, committed, repeated: expected new, new, known")
	}
	ran := 0
	for _, m := range []outbox.Received{message, {EventID: "b"}, {EventID: "b"}} {
		must(t, consumer.Consume(t.Context(), m, func(context.Context, sqlstore.Tx) error { ran++; return nil }))
	}
	if ran != 1 {
		t.Errorf("%d effects, expected one, of b", ran)
	}
	if record(t, store, message.EventID) {
		t.Error("the plain ledger does not know what the ORM's recorded")
	}
	done, err := db.BeginTx(t.Context(), nil)
	must(t, err)
	must(t, done.Rollback())
	var none *sql.Tx
	for name, tx := range map[string]sqlstore.Tx{"nil": nil, "a nil *sql.Tx": none, "a finished one": done} {
		if _, err := consumer.ConsumeIn(t.Context(), tx, outbox.Received{EventID: "c"}); !errors.Is(err, outbox.ErrNoTransaction) {
			t.Errorf("%s: error %v, expected ErrNoTransaction", name, err)
		}
	}
}
