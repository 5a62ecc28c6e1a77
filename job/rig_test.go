package job_test

import (
	"context"
	"log/slog"
	"testing"

	"go.uber.org/goleak"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/memkit"
	"github.com/sendoff-go/outbox/job"
	"github.com/sendoff-go/outbox/store/memstore"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var ann, bob = driver.Act{By: "ann", Note: "mended"}, driver.Act{By: "bob"}

const lane = "order-placed"

// dead is a store with n dead letters of one type.
func dead(t *testing.T, n int) (*memstore.Store, []string) {
	t.Helper()
	store := memstore.New(memstore.Config{})
	return store, kill(t, store, lane, "refused", n)
}

func some(eventType string, n int) []outbox.Event {
	es := make([]outbox.Event, n)
	for i := range es {
		es[i] = outbox.Event{Type: eventType, JSON: []byte("1")}
	}
	return es
}

func kill(t *testing.T, store *memstore.Store, eventType, reason string, n int) []string {
	t.Helper()
	ids := memkit.Write(t, store, some(eventType, n)...)
	memkit.Settle(t, store, eventType, driver.Outcome{Kind: driver.Dead, Attempts: 3, Error: reason}, true)
	return ids
}

// again lets an event of the same id die for another reason.
func again(t *testing.T, store *memstore.Store, id, reason string) {
	t.Helper()
	e := outbox.Event{Type: lane, JSON: []byte("2")}
	e.ID = id
	memkit.Write(t, store, e)
	memkit.Settle(t, store, lane, driver.Outcome{Kind: driver.Dead, Attempts: 3, Error: reason}, true)
}

func start(t *testing.T, store job.Store, spec job.Spec) driver.Job {
	t.Helper()
	j, err := job.Start(t.Context(), store, spec, ann)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func runner(t *testing.T, store job.Store) *job.Runner {
	t.Helper()
	r, err := job.NewRunner(job.Config{Store: store, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// run starts a job and runs it to its end.
func run(t *testing.T, store job.Store, spec job.Spec) driver.Job {
	t.Helper()
	j, err := runner(t, store).RunJob(t.Context(), start(t, store, spec).ID, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !j.State.Ended() {
		t.Fatalf("%+v has not ended", j)
	}
	return j
}

// hooked calls functions between the calls of a job.
type hooked struct {
	*memstore.Store
	listed   func()                // after each page of letters, before it is acted on
	resolved func(err error) error // in place of the answer to a ResolveDead
	deleted  func() error          // before a DeleteDead
	got      func() error          // before a GetJob
	deleting func(ctx context.Context, n int) error
	replayed func() error // before a ReplayDead
	shown    func()       // after each page of events, before it is acted on
}

func (h hooked) ListDead(ctx context.Context, f driver.DeadFilter, after *driver.DeadCursor, limit int) ([]driver.DeadLetter, *driver.DeadCursor, error) {
	ls, next, err := h.Store.ListDead(ctx, f, after, limit)
	if len(ls) > 0 && h.listed != nil {
		h.listed()
	}
	return ls, next, err
}

func (h hooked) ResolveDead(ctx context.Context, keys []driver.DeadKey) ([]driver.DeadResult, error) {
	rs, err := h.Store.ResolveDead(ctx, keys)
	if h.resolved != nil {
		if err = h.resolved(err); err != nil {
			rs = nil
		}
	}
	return rs, err
}

func (h hooked) DeleteDead(ctx context.Context, keys []driver.DeadKey) ([]driver.DeadResult, error) {
	if h.deleted != nil {
		if err := h.deleted(); err != nil {
			return nil, err
		}
	}
	if h.deleting != nil {
		if err := h.deleting(ctx, len(keys)); err != nil {
			return nil, err
		}
	}
	return h.Store.DeleteDead(ctx, keys)
}

func (h hooked) ReplayDead(ctx context.Context, keys []driver.DeadKey) ([]driver.DeadResult, error) {
	if h.replayed != nil {
		if err := h.replayed(); err != nil {
			return nil, err
		}
	}
	return h.Store.ReplayDead(ctx, keys)
}

func (h hooked) ListEvents(ctx context.Context, f driver.EventFilter, after *driver.EventCursor, limit int) ([]driver.StoredEvent, *driver.EventCursor, error) {
	es, next, err := h.Store.ListEvents(ctx, f, after, limit)
	if h.shown != nil {
		h.shown()
	}
	return es, next, err
}

func (h hooked) GetJob(ctx context.Context, id string) (driver.Job, bool, error) {
	if h.got != nil {
		if err := h.got(); err != nil {
			return driver.Job{}, false, err
		}
	}
	return h.Store.GetJob(ctx, id)
}
