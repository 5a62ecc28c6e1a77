package tidbstore_test

import (
	"context"
	"database/sql"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/testenv"
)

// The defaults of the columns are in the time zone of the session, so the store
// must leave out none of its times.
func TestTheStoresTimesAreUTCInAnyZone(t *testing.T) {
	address := testenv.Database(t, testenv.TiDB)
	store := newStore(openDB(t, address+"?time_zone=%27%2B08%3A00%27"))
	if err := store.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	w := outbox.NewWriter(store)
	if err := w.InTx(t.Context(), func(ctx context.Context, tx *sql.Tx) error {
		_, err := w.Write(ctx, tx, outbox.Event{Type: "T", JSON: []byte("1")})
		return err
	}); err != nil {
		t.Fatal(err)
	}
	claim := driver.ClaimRequest{Owner: "a", Lease: time.Hour, Wants: []driver.Want{{Lane: "T", Rows: 10}}}
	cs, err := store.Claim(t.Context(), claim)
	if err != nil || len(cs) != 1 {
		t.Fatalf("claimed %v, error %v: expected the event", cs, err)
	}
	if stale, err := store.Settle(t.Context(), "a", []driver.Outcome{{Held: cs[0].Held, Kind: driver.Dead, Error: "no"}}, true); err != nil || len(stale) > 0 {
		t.Fatalf("stale %v, error %v", stale, err)
	}
	letter, found, err := store.GetDead(t.Context(), cs[0].EventID)
	if err != nil || !found {
		t.Fatalf("found %t, error %v", found, err)
	}
	states, err := store.MigrationStatus(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for what, at := range map[string]time.Time{
		"created": cs[0].CreatedAt, "due": cs[0].Position.AvailableAt, "dead": letter.DiedAt, "migrated": states[0].AppliedAt,
	} {
		if d := time.Since(at).Abs(); d > time.Hour {
			t.Errorf("%s at %s, which is %s from now", what, at, d)
		}
	}
}
