package relaytest_test

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/observe"
)

// Each shutdown comes at another moment: when so many events have been
// delivered, or right after a claim or a settle.
func TestAShutdownInTheMiddleOfADrainLeavesNoRowClaimed(t *testing.T) {
	const rows = 5000
	shutdowns := 10
	if testing.Short() {
		shutdowns = 3
	}
	for _, with := range []dburl.Options{{}, {Driver: "sql"}} {
		t.Run("driver "+cmp.Or(with.Driver, "pgx"), func(t *testing.T) {
			h := openDatabase(t, testenv.Database(t, testenv.Postgres15), with)
			c := newCounter(-1)
			for i := range shutdowns {
				shutDownMidway(t, h, c, i, rows)
			}
			c.wantOnce(t, 0)
			done, err := h.Text(t.Context(), "SELECT count(*) FROM outbox_event WHERE status = 1")
			if err != nil || done != fmt.Sprint(len(c.n)) {
				t.Errorf("%s rows are done (%v) of %d that were delivered", done, err, len(c.n))
			}
		})
	}
}

func shutDownMidway(t *testing.T, h *dburl.Handle, c *counter, i, rows int) {
	t.Helper()
	lane := fmt.Sprint("of", i)
	fill := fmt.Sprintf(`INSERT INTO outbox_event (event_type, payload) SELECT '%s', '{}' FROM generate_series(1, %d)`, lane, rows)
	if err := h.Exec(t.Context(), fill); err != nil {
		t.Fatal(err)
	}
	now := make(chan struct{})
	midway := sync.OnceFunc(func() { close(now) })
	cfg := fast
	var mu sync.Mutex
	seen, claims, settles := 0, 0, 0
	reg := outbox.NewRegistry()
	reg.Handle(lane, func(ctx context.Context, e outbox.Event) error {
		mu.Lock()
		seen++
		if i%3 == 0 && seen == 1+i*rows/20 {
			midway()
		}
		mu.Unlock()
		return c.Handle(ctx, e)
	})
	nth := func(n *int, last int) func(observe.StatementInfo) {
		return func(observe.StatementInfo) {
			mu.Lock()
			defer mu.Unlock()
			if *n++; *n == last {
				midway()
			}
		}
	}
	switch i % 3 {
	case 1:
		cfg.Hooks.Claimed = nth(&claims, 1+i/3)
	case 2:
		cfg.Hooks.Settled = nth(&settles, 1+i/3)
	}
	_, stop := runRelay(t, h, reg, cfg)
	select {
	case <-now:
	case <-time.After(patience):
		t.Fatal("the drain does not get as far as its shutdown")
	}
	stop()
	for what, query := range map[string]string{
		"held":              "SELECT count(*) FROM outbox_event WHERE locked_by IS NOT NULL OR locked_until > now()",
		"with an attempt":   "SELECT count(*) FROM outbox_event WHERE attempts > 0",
		"neither of status": "SELECT count(*) FROM outbox_event WHERE status NOT IN (0, 1)",
		"put off":           "SELECT count(*) FROM outbox_event WHERE status = 0 AND available_at > now()",
	} {
		if n, err := h.Text(t.Context(), query); err != nil || n != "0" {
			t.Errorf("after shutdown %d: %s rows are %s (%v)", i, n, what, err)
		}
	}
}
