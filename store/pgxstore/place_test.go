package pgxstore_test

import (
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/pgxstore"
)

// Rows of different partitions are at the same places, and rows of a view at
// none.
func TestWhereAPlaceNamesNoRowTheKeyDoes(t *testing.T) {
	for name, replace := range map[string]string{
		"partitions": partitioned,
		"a view":     "ALTER TABLE outbox_event RENAME TO rows; CREATE VIEW outbox_event AS SELECT * FROM rows",
		"a child":    "CREATE TABLE child () INHERITS (outbox_event)",
	} {
		t.Run(name, func(t *testing.T) {
			store, pool := open(t)
			exec(t, pool, replace)
			inPortions(t, store, pool, false)
		})
	}
}

func TestAnOrdinaryTableSaysWhereItsRowsAre(t *testing.T) {
	store, pool := open(t)
	inPortions(t, store, pool, true)
}

// A table may become partitioned while relays run.
func TestATableThatIsReplacedIsLookedAtAgain(t *testing.T) {
	store, pool := open(t)
	inPortions(t, store, pool, true)
	exec(t, pool, partitioned)
	if _, err := store.Lanes(t.Context(), "", 10); err != nil {
		t.Fatal(err)
	}
	claimInPortions(t, store, openStore(t, pool, pgxstore.Config{}), pool, false)
}

const partitioned = `ALTER TABLE outbox_event RENAME TO rows;
	ALTER INDEX outbox_event_pkey RENAME TO rows_pkey; ALTER INDEX outbox_event_pending RENAME TO rows_pending;
	CREATE TABLE outbox_event (LIKE rows INCLUDING DEFAULTS INCLUDING IDENTITY) PARTITION BY HASH (event_id);
	ALTER TABLE outbox_event ADD CONSTRAINT outbox_event_pkey PRIMARY KEY (event_id);
	CREATE INDEX outbox_event_pending ON outbox_event (event_type, available_at, seq) WHERE status IN (0, 2);
	CREATE TABLE first PARTITION OF outbox_event FOR VALUES WITH (MODULUS 2, REMAINDER 0);
	CREATE TABLE second PARTITION OF outbox_event FOR VALUES WITH (MODULUS 2, REMAINDER 1)`

func inPortions(t *testing.T, store *pgxstore.Store, pool *pgxpool.Pool, placed bool) {
	t.Helper()
	claimInPortions(t, store, store, pool, placed)
}

// claimInPortions claims and settles what another store wrote, some at a time.
func claimInPortions(t *testing.T, store, writer *pgxstore.Store, pool *pgxpool.Pool, placed bool) {
	t.Helper()
	es := make([]outbox.Event, 300)
	for i := range es {
		es[i] = event(fmt.Sprintf("%s-%d", t.Name()[len(t.Name())-5:], i))
		if !placed {
			es[i].ID += "-again"
		}
	}
	write(t, writer, es...)
	owner := driver.NewOwner("a")
	for range 3 {
		cs, err := store.Claim(t.Context(), driver.ClaimRequest{Owner: owner, Lease: long, Wants: []driver.Want{{Lane: lane, Rows: 100}}})
		if err != nil {
			t.Fatal(err)
		}
		if len(cs) != 100 {
			t.Fatalf("claimed %d rows, expected the 100 that were wanted", len(cs))
		}
		outcomes := make([]driver.Outcome, len(cs))
		for i, c := range cs {
			if (c.Token != 0) != placed {
				t.Fatalf("%s is at %d, expected a place: %t", c.EventID, c.Token, placed)
			}
			outcomes[i] = driver.Outcome{Held: c.Held, Kind: driver.Done, Token: c.Token}
		}
		stale, err := store.Settle(t.Context(), owner, outcomes, true)
		if err != nil || len(stale) > 0 {
			t.Fatalf("stale %v, error %v", stale, err)
		}
	}
	if n := queryInt(t, pool, "SELECT count(*) FROM outbox_event WHERE status <> 1"); n > 0 {
		t.Errorf("%d rows are not done", n)
	}
}
