package pgxstore_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/pgxstore"
)

func TestConflictsAreRepeated(t *testing.T) {
	store, pool := open(t)
	owner := driver.NewOwner("a")
	for _, state := range []string{"40001", "40P01"} {
		exec(t, pool, `DROP SEQUENCE IF EXISTS tries CASCADE; CREATE SEQUENCE tries;
			CREATE OR REPLACE FUNCTION conflict() RETURNS trigger LANGUAGE plpgsql AS $$
			BEGIN
				IF nextval('tries') <= 3 THEN RAISE EXCEPTION USING ERRCODE = '`+state+`'; END IF;
				RETURN NULL;
			END $$;
			CREATE OR REPLACE TRIGGER conflict BEFORE UPDATE ON outbox_event EXECUTE FUNCTION conflict()`)
		write(t, store, event(outbox.NewID()))
		c := claim(t, store, owner, 1)[0]
		if c.ClaimNo != 1 || c.Recovered != 0 {
			t.Errorf("%s: claimed as %+v, recovered %d: an attempt that failed left its mark", state, c.Held, c.Recovered)
		}
		if n := queryInt(t, pool, "SELECT last_value FROM tries"); n != 4 {
			t.Errorf("%s: tried %d times, expected 4", state, n)
		}
	}
}

func TestAConflictThatDoesNotEndIsReported(t *testing.T) {
	store, pool := open(t)
	exec(t, pool, `CREATE FUNCTION conflict() RETURNS trigger LANGUAGE plpgsql AS $$
		BEGIN RAISE EXCEPTION USING ERRCODE = '40001'; END $$;
		CREATE TRIGGER conflict BEFORE UPDATE ON outbox_event EXECUTE FUNCTION conflict()`)
	write(t, store, event("a"))
	if _, err := claimFor(t.Context(), store, driver.NewOwner("a"), long); !errors.Is(err, outbox.ErrStoreDown) {
		t.Errorf("error %v, expected ErrStoreDown", err)
	}
	exec(t, pool, "DROP TRIGGER conflict ON outbox_event")
	claim(t, store, driver.NewOwner("a"), 1)
}

func TestAConnectionToAReplicaIsThrownAway(t *testing.T) {
	address := testenv.Database(t, testenv.Postgres15)
	store := openStore(t, openPool(t, address, ""), pgxstore.Config{})
	migrate(t, store)
	write(t, store, event("a"))
	opened := 0
	relay := openPool(t, address, "", func(c *pgxpool.Config) {
		c.MaxConns = 1
		c.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
			if opened++; opened > 2 {
				return nil
			}
			_, err := conn.Exec(ctx, "SET default_transaction_read_only = on") // as a server that was demoted has it
			return err
		}
	})
	store = openStore(t, relay, pgxstore.Config{Relay: relay})
	claim(t, store, driver.NewOwner("a"), 1)
	if opened != 3 {
		t.Errorf("%d connections were opened, expected 3: two that can only read, and then one that can write", opened)
	}
}

// A server that has no room, or a person who cancels a statement, is no reason to
// connect anew for every try.
func TestAConnectionThatAnsweredIsKept(t *testing.T) {
	address := testenv.Database(t, testenv.Postgres15)
	opened := 0
	relay := openPool(t, address, "", func(c *pgxpool.Config) {
		c.MaxConns = 1
		c.AfterConnect = func(context.Context, *pgx.Conn) error { opened++; return nil }
	})
	store := openStore(t, relay, pgxstore.Config{Relay: relay})
	migrate(t, store)
	write(t, store, event("a"))
	for _, state := range []string{"53100", "57014", "XX000", "42501"} {
		exec(t, relay, `CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
			BEGIN RAISE EXCEPTION USING ERRCODE = '`+state+`'; END $$;
			CREATE OR REPLACE TRIGGER refuse BEFORE UPDATE ON outbox_event EXECUTE FUNCTION refuse()`)
		// The store has a second to end the transaction, and no connection survives
		// a machine that stands still for that long.
		eventually(t, "the connection is kept after "+state, func() bool {
			before := opened
			if _, err := claimFor(t.Context(), store, "a", long); err == nil {
				t.Errorf("%s: expected an error", state)
			}
			return opened == before
		})
	}
	exec(t, relay, "DROP TRIGGER refuse ON outbox_event")
	claim(t, store, "a", 1)
}

func TestAStatementThatTakesTooLongIsGivenUp(t *testing.T) {
	address := testenv.Database(t, testenv.Postgres15)
	pool := openPool(t, address, "")
	store := openStore(t, pool, pgxstore.Config{})
	hasty := openStore(t, pool, pgxstore.Config{StatementTimeout: 200 * time.Millisecond})
	migrate(t, store)
	write(t, store, event("a"))
	tx, err := pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(t.Context(), "LOCK TABLE outbox_event"); err != nil {
		t.Fatal(err)
	}
	_, err = claimFor(t.Context(), hasty, driver.NewOwner("a"), long)
	if !errors.Is(err, outbox.ErrStoreDown) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, expected ErrStoreDown because of the deadline", err)
	}
	eventually(t, "the server has given up too", func() bool {
		return queryInt(t, pool, "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'") == 0
	})
	if err := tx.Rollback(t.Context()); err != nil {
		t.Error(err)
	}
	claim(t, store, driver.NewOwner("a"), 1)
}

func TestAMigrationUnderRunningRelaysIsNotNoticed(t *testing.T) {
	store, pool := open(t)
	owner := driver.NewOwner("a")
	write(t, store, event("a"))
	claim(t, store, owner, 1)
	exec(t, pool, "ALTER TABLE outbox_event ALTER COLUMN tenant_id TYPE text") // the answer of prepared statements changes
	write(t, store, event("b"))
	claim(t, store, owner, 1)
}
