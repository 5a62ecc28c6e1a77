package outboxtest

import (
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/sendoff-go/outbox"
)

// Recorder notes events. As a write hook it sees what is written and how the
// transaction ended; as a listener, what is delivered.
//
//	rec := &outboxtest.Recorder{}
//	w := outbox.NewWriter(store, outbox.WithWriteHooks(rec.WriteHook()))
//	... run the code under test ...
//	e := rec.MustCommit(t, "OrderPlaced")
type Recorder struct {
	mu                                       sync.Mutex
	written, committed, rolledBack, received []outbox.Event
}

// WriteHook makes the recorder see what a writer writes. It learns how a
// transaction ended only from InTx and Track.
func (r *Recorder) WriteHook() outbox.WriteHook {
	return outbox.WriteHook{
		AfterWrite:    func(_ context.Context, es []outbox.Event) { r.note(&r.written, es...) },
		AfterCommit:   func(es []outbox.Event) { r.note(&r.committed, es...) },
		AfterRollback: func(es []outbox.Event) { r.note(&r.rolledBack, es...) },
	}
}

// Handle is a listener that notes the event and succeeds.
func (r *Recorder) Handle(_ context.Context, e outbox.Event) error {
	r.note(&r.received, e)
	return nil
}

func (r *Recorder) note(to *[]outbox.Event, es ...outbox.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range es {
		*to = append(*to, e.Clone())
	}
}

func (r *Recorder) list(from *[]outbox.Event) []outbox.Event {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(*from)
}

// Written returns what was written, in order, committed or not.
func (r *Recorder) Written() []outbox.Event { return r.list(&r.written) }

// Committed returns what was committed, in order.
func (r *Recorder) Committed() []outbox.Event { return r.list(&r.committed) }

// RolledBack returns what was rolled back, or may have been, in order.
func (r *Recorder) RolledBack() []outbox.Event { return r.list(&r.rolledBack) }

// Received returns what the listener got, in order.
func (r *Recorder) Received() []outbox.Event { return r.list(&r.received) }

// Reset forgets everything.
func (r *Recorder) Reset() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.written, r.committed, r.rolledBack, r.received = nil, nil, nil, nil
}

// MustWrite ends the test unless an event of that type was written, committed
// or not, and returns the last one.
func (r *Recorder) MustWrite(t testing.TB, eventType string) outbox.Event {
	t.Helper()
	return must(t, "written", eventType, r.Written())
}

// MustCommit ends the test unless an event of that type was committed, and
// returns the last one.
func (r *Recorder) MustCommit(t testing.TB, eventType string) outbox.Event {
	t.Helper()
	return must(t, "committed", eventType, r.Committed())
}

// MustReceive ends the test unless the listener got an event of that type, and
// returns the last one.
func (r *Recorder) MustReceive(t testing.TB, eventType string) outbox.Event {
	t.Helper()
	return must(t, "received", eventType, r.Received())
}

// NoWrite fails the test if an event of that type was written.
func (r *Recorder) NoWrite(t testing.TB, eventType string) {
	t.Helper()
	for _, e := range r.Written() {
		if e.Type == eventType {
			t.Errorf("outboxtest: event %s of type %q was written, and should not have been", e.ID, eventType)
		}
	}
}

func must(t testing.TB, what, eventType string, es []outbox.Event) outbox.Event {
	t.Helper()
	for _, e := range slices.Backward(es) {
		if e.Type == eventType {
			return e
		}
	}
	types := make([]string, len(es))
	for i, e := range es {
		types[i] = e.Type
	}
	t.Fatalf("outboxtest: no event of type %q was %s; there were %q", eventType, what, types)
	return outbox.Event{}
}
