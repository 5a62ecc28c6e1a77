package pgxstore_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/pgxstore"
)

// trips counts what is sent and waited for.
type trips struct{ n atomic.Int32 }

func (c *trips) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	c.n.Add(1)
	return ctx
}

func (c *trips) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	c.n.Add(1)
	return ctx
}

func (c *trips) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData)     {}
func (c *trips) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}
func (c *trips) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData)     {}

// counted gives a store and what counts its round trips.
func counted(t *testing.T) (*pgxstore.Store, *trips) {
	t.Helper()
	sent := &trips{}
	pool := openPool(t, testenv.Database(t, testenv.Postgres15), "", func(c *pgxpool.Config) { c.ConnConfig.Tracer = sent })
	store := openStore(t, pool, pgxstore.Config{})
	migrate(t, store)
	return store, sent
}

func TestACallOfOneStatementIsOneRoundTrip(t *testing.T) {
	store, sent := counted(t)
	write(t, store, event("a"))
	held := claim(t, store, "me", 1)[0].Held
	for name, call := range map[string]func(ctx context.Context) error{
		"claim": func(ctx context.Context) error { _, err := claimFor(ctx, store, "me", long); return err },
		"renew": func(ctx context.Context) error {
			_, err := store.Renew(ctx, "me", long, []driver.Renewal{{Held: held}})
			return err
		},
		"settle": func(ctx context.Context) error {
			_, err := store.Settle(ctx, "me", []driver.Outcome{{Held: driver.Held{EventID: "x"}, Kind: driver.Done}}, true)
			return err
		},
		"take": func(ctx context.Context) error {
			_, err := store.Take(ctx, "me", long, []driver.Held{{EventID: "x"}})
			return err
		},
		"confirm": func(ctx context.Context) error {
			_, err := store.Confirm(ctx, []driver.Held{{EventID: "x"}})
			return err
		},
		"lanes":  func(ctx context.Context) error { _, err := store.Lanes(ctx, "", 10); return err },
		"paused": func(ctx context.Context) error { _, err := store.Paused(ctx); return err },
		"notify": func(ctx context.Context) error { return store.Notify(ctx, []string{lane}) },
		"known":  func(ctx context.Context) error { _, err := store.Known(ctx, "g", []string{"a"}); return err },
		"letters": func(ctx context.Context) error {
			_, _, err := store.ListDead(ctx, driver.DeadFilter{}, nil, 1)
			return err
		},
		"replay": func(ctx context.Context) error { _, err := store.ReplayDead(ctx, driver.DeadIDs("x")); return err },
		"delete": func(ctx context.Context) error { _, err := store.DeleteDead(ctx, driver.DeadIDs("x")); return err },
	} {
		if err := call(t.Context()); err != nil { // its statements are prepared, and the table is looked at
			t.Fatalf("%s: %v", name, err)
		}
		sent.n.Store(0)
		if err := call(t.Context()); err != nil || sent.n.Load() != 1 {
			t.Errorf("%s: %d round trips, error %v, expected one", name, sent.n.Load(), err)
		}
	}
}

// What fails in one round trip with COMMIT changes nothing, and its connection
// can be used again.
func TestAStatementThatFailsWithItsCommitLeavesTheConnectionAsItWas(t *testing.T) {
	store, pool := open(t)
	exec(t, pool, `CREATE FUNCTION late() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'at the commit'; END $$;
		CREATE CONSTRAINT TRIGGER late AFTER INSERT ON outbox_instance DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION late()`)
	if err := store.Announce(t.Context(), driver.Instance{Owner: "me"}); err == nil || errors.Is(err, outbox.ErrStoreDown) {
		t.Errorf("error %v, expected the trigger's", err)
	}
	if running, err := store.Instances(t.Context()); err != nil || len(running) > 0 {
		t.Errorf("running %v, error %v, expected nothing", running, err)
	}
	if st := pool.Stat(); st.AcquiredConns() != 0 || st.NewConnsCount() != 1 {
		t.Errorf("%d connections in use, %d were made, expected the first to be kept", st.AcquiredConns(), st.NewConnsCount())
	}
}
