package pgxstore_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/pgxstore"
)

// explained is a pool whose server logs the plan of every statement, and would
// JIT-compile each of them.
func explained(t *testing.T) (pool *pgxpool.Pool, plans func() string) {
	t.Helper()
	var mu sync.Mutex
	var told strings.Builder
	pool = openPool(t, testenv.Database(t, testenv.Postgres15), "", func(c *pgxpool.Config) {
		c.ConnConfig.OnNotice = func(_ *pgconn.PgConn, n *pgconn.Notice) {
			mu.Lock()
			defer mu.Unlock()
			told.WriteString(n.Message)
		}
		c.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
			_, err := conn.Exec(ctx, `LOAD 'auto_explain'; SET auto_explain.log_min_duration = 0; SET auto_explain.log_level = notice;
				SET auto_explain.log_analyze = on; SET jit = on; SET jit_above_cost = 0`)
			return err
		}
	})
	return pool, func() string {
		mu.Lock()
		defer mu.Unlock()
		defer told.Reset()
		return told.String()
	}
}

func TestTheRelaysStatementsRunByIndexAndAreNotCompiled(t *testing.T) {
	pool, plans := explained(t)
	s := openStore(t, pool, pgxstore.Config{})
	migrate(t, s)
	write(t, s, event("a"), event("b"))
	plans()
	held := claim(t, s, "me", 2)
	claimed := plans()
	if _, err := s.Settle(t.Context(), "me", []driver.Outcome{{Held: held[0].Held, Kind: driver.Done}, {Held: held[1].Held, Kind: driver.Done}}, false); err != nil {
		t.Fatal(err)
	}
	settled := plans()
	for plan, index := range map[string]string{claimed: "outbox_event_pending", settled: "outbox_event_pkey"} {
		_, after, found := strings.Cut(plan, index) // the statement that says so is compiled itself
		if !found || strings.Contains(after, "JIT") || strings.Contains(plan, "Seq Scan") {
			t.Errorf("expected a plan by %s that is not compiled:\n%s", index, plan)
		}
	}
	queryInt(t, pool, "SELECT count(*) FROM outbox_event")
	if plan := plans(); !strings.Contains(plan, "JIT") {
		t.Errorf("the server does not compile other statements here, so the test shows nothing:\n%s", plan)
	}
}
