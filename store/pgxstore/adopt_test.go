package pgxstore_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/pgxstore"
)

// A connection keeps prepared statements even when the table's types change.
func TestATableOfAnotherProgramIsAdoptedInEveryMode(t *testing.T) {
	for mode := range modes {
		t.Run(mode, func(t *testing.T) {
			pool := openPool(t, testenv.Database(t, testenv.Postgres15), mode)
			exec(t, pool, "CREATE TYPE state AS ENUM ('NEW', 'DONE')")
			exec(t, pool, `CREATE TABLE outbox_event (event_id uuid PRIMARY KEY, event_type text, payload jsonb, status state,
				aggregate_id bigint, available_at timestamp, created_at timestamp)`)
			exec(t, pool, "INSERT INTO outbox_event VALUES (gen_random_uuid(), 'T', '{}', 'NEW', 42, now(), now())")
			store := openStore(t, pool, pgxstore.Config{})
			err := store.Migrate(t.Context())
			if !errors.Is(err, outbox.ErrSchema) || !strings.Contains(err.Error(), "its column status is of type state") || !strings.Contains(err.Error(), "such as NEW") {
				t.Fatalf("error %v, expected one about the status", err)
			}
			exec(t, pool, "ALTER TABLE outbox_event ALTER COLUMN status TYPE smallint USING CASE status WHEN 'NEW' THEN 0 ELSE 1 END")
			migrate(t, store)
			cs, err := store.Claim(t.Context(), driver.ClaimRequest{Owner: "a", Lease: time.Hour, Wants: []driver.Want{{Lane: "T", Rows: 10}}})
			if err != nil || len(cs) != 1 || cs[0].Problem != nil || cs[0].Event.AggregateID != "42" {
				t.Errorf("claimed %+v, error %v: expected the event", cs, err)
			}
			write(t, store, event("a"))
		})
	}
}
