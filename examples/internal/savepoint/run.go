package savepoint

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/observe"
	"github.com/sendoff-go/outbox/relay"
)

// Subject is a library of transactions, on a database.
type Subject struct {
	Store Store
	// InTx begins a transaction, writes with a writer that has that option
	// (nil: none), commits, and reports the commit to the writer.
	InTx func(ctx context.Context, hot outbox.WriterOption, fn func(Tx) error) error
}

// Store is what the relay needs, and shows whether anything is left.
type Store interface {
	driver.Store
	driver.StatsStore
}

// Tx is a transaction of that library, the outermost or a nested one.
type Tx struct {
	Write func(e outbox.Event) error
	// Nested runs fn in a transaction inside this one, and rolls that back,
	// and nothing else, if fn fails.
	Nested func(fn func(Tx) error) error
}

// Run runs every scenario, hot and cold, each on a subject whose table is empty.
func Run(t *testing.T, open func(t *testing.T) Subject) {
	for _, s := range scenarios {
		t.Run(s.name, func(t *testing.T) {
			t.Run("delivered by a relay that hears of the commit", func(t *testing.T) { hot(t, open(t), s) })
			t.Run("delivered by a relay that starts later", func(t *testing.T) { cold(t, open(t), s) })
		})
	}
}

func hot(t *testing.T, subject Subject, s scenario) {
	ctx, stop := context.WithTimeout(t.Context(), 3*time.Minute)
	defer stop()
	got := &receipts{arrived: make(chan struct{}, 100)}
	started := make(chan struct{}, 1)
	r, err := relay.New(subject.Store, got.registry(), relay.Config{
		// Longer than a machine stands still.
		Lease: 2 * time.Minute, HeadStart: time.Minute, DrainTimeout: time.Minute,
		// The poller finds what the relay is not told about, here soon.
		Lane:  relay.LaneConfig{Interval: 50 * time.Millisecond},
		Hooks: observe.Hooks{Claimed: func(observe.StatementInfo) { signal(started) }},
	})
	if err != nil {
		t.Fatal(err)
	}
	finished := make(chan error, 1)
	go func() { finished <- r.Run(ctx) }()
	wait(ctx, t, started) // only a relay that runs admits events to the hot path

	s.run(ctx, t, subject, r.HotPath())
	for range s.want {
		wait(ctx, t, got.arrived)
	}
	stop()
	if err := <-finished; err != nil {
		t.Errorf("the relay stopped with %v", err)
	}
	if s.hot != "" && !slices.Contains(got.hot, s.hot) {
		t.Errorf("hot were %q, expected %q among them: nothing was tested", got.hot, s.hot)
	}
	got.check(t, s.want)
	nothingLeft(t, subject, got, s.want)
}

func cold(t *testing.T, subject Subject, s scenario) {
	got := &receipts{}
	s.run(t.Context(), t, subject, nil)
	nothingLeft(t, subject, got, s.want)
}

// nothingLeft delivers what is left, which after the hot path should be nothing,
// and checks that the table is empty of pending rows.
func nothingLeft(t *testing.T, subject Subject, got *receipts, want []string) {
	t.Helper()
	r, err := relay.New(subject.Store, got.registry(), relay.Config{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.RunOnce(t.Context()); err != nil {
		t.Fatal(err)
	}
	got.check(t, want)
	stats, err := subject.Store.Stats(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if stats.Waiting.N != 0 || stats.Held.N != 0 || stats.Dead.N != 0 || stats.Done.N != int64(len(want)) {
		t.Errorf("the table has %+v, expected %d done and nothing else", stats, len(want))
	}
}

func wait(ctx context.Context, t *testing.T, c <-chan struct{}) {
	t.Helper()
	select {
	case <-c:
	case <-ctx.Done():
		t.Fatal("what was expected did not happen in time")
	}
}

func signal(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// run does the steps in one transaction. A scenario that rolls back or fails on
// purpose does not fail the test.
func (s scenario) run(ctx context.Context, t *testing.T, subject Subject, hot outbox.WriterOption) {
	t.Helper()
	err := subject.InTx(ctx, hot, s.steps)
	if s.fails != errors.Is(err, errUndo) || (err != nil && !s.fails) {
		t.Fatalf("the transaction ended with %v, expected a failure: %t", err, s.fails)
	}
}
