package relaytest_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/internal/await"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/outboxtest"
)

// Scenario 61, on a database and a tenth of the size: its rows are left alone.
func TestRowsThatWaitForADeadSinkAreUpdatedAtMostTwice(t *testing.T) {
	const slowRows, goneRows = 10_000, 20_000
	h := openDatabase(t, testenv.Database(t, testenv.Postgres15), dburl.Options{})
	for lane, n := range map[string]int{"slow": slowRows, "gone": goneRows} {
		fill := fmt.Sprintf(`INSERT INTO outbox_event (event_type, payload) SELECT '%s', '{}' FROM generate_series(1, %d)`, lane, n)
		if err := h.Exec(t.Context(), fill); err != nil {
			t.Fatal(err)
		}
	}
	writeDB(t, h.Writer(), numbered("fast", 0, 500)...)
	c := newCounter(1000)
	reg := outbox.NewRegistry()
	reg.Handle("fast", c.Handle)
	over := make(chan struct{})
	reg.Handle("slow", func(context.Context, outbox.Event) error {
		select {
		case <-time.After(time.Second):
			return nil
		case <-over:
			return outbox.RetryAfter(time.Hour)
		}
	})
	sink := &outboxtest.FlakySink{}
	sink.SetDown(true) // and its connection check says so
	reg.Route("gone", sink)
	r, stop := runRelay(t, h, reg, fast)
	release := sync.OnceFunc(func() { close(over) })
	t.Cleanup(release)
	w := h.Writer(r.HotPath(), outbox.WithLogger(quietLog()))
	for i := 500; i < 1000; i += 10 {
		writeDB(t, w, numbered("fast", i, i+10)...)
	}
	c.await(t)
	await.Within(t, patience, "a row of the slow type is delivered", func() bool {
		n, err := h.Text(t.Context(), "SELECT count(*)::text FROM outbox_event WHERE event_type = 'slow' AND status = 1")
		return err == nil && n != "0"
	}, nil)
	release()
	stop()
	c.wantOnce(t, 0)
	for _, q := range []struct{ what, query, want string }{
		{"updates of a row of the dead sink", "SELECT (max(claim_no) <= 2)::text FROM outbox_event WHERE event_type = 'gone'", "true"},
		{"rows of the dead sink that were touched at all", "SELECT (count(*) BETWEEN 1 AND 2000)::text FROM outbox_event WHERE event_type = 'gone' AND claim_no > 0", "true"},
		{"rows that wait for the dead sink", "SELECT count(*)::text FROM outbox_event WHERE event_type = 'gone' AND status = 0 AND attempts = 0", fmt.Sprint(goneRows)},
	} {
		if got, err := h.Text(t.Context(), q.query); err != nil || got != q.want {
			t.Errorf("%s: %q, want %q (%v)", q.what, got, q.want, err)
		}
	}
}
