package outbox

import (
	"context"
	"reflect"
	"slices"
	"sync"
)

// Track watches a transaction that the caller begins and ends, so that its
// events can be delivered right after the commit. Write with the returned
// context, and end the transaction with done:
//
//	ctx, done := w.Track(ctx)
//	tx, err := db.BeginTx(ctx, nil)
//	...
//	return done(tx.Commit())
//
// Done takes the error of the outermost Commit (or any error after a
// rollback) and returns it; a lost answer becomes [ErrCommitUnknown]. The
// tracker binds to the first transaction that writes; writes in another one
// are stored as usual, for the poller. If done is never called, the events
// are delivered by the poller after their head start. Done may be called more
// than once; the first call counts.
func (w *Writer[Tx]) Track(ctx context.Context) (_ context.Context, done func(commitErr error) error) {
	t := &tracker{}
	return context.WithValue(ctx, trackerKey{w}, t), func(commitErr error) error {
		if commitErr != nil {
			commitErr = w.store.CommitError(commitErr)
		}
		w.ended(t.take(), commitErr == nil)
		return commitErr
	}
}

// trackerKey names the writer, so that two writers do not see each other.
type trackerKey struct{ writer any }

type tracker struct {
	mu     sync.Mutex
	tx     any
	ended  bool
	writes []Written
	ids    map[string]bool
}

// trackerOf is the context's tracker if it watches tx.
func (w *Writer[Tx]) trackerOf(ctx context.Context, tx Tx) *tracker {
	t, ok := ctx.Value(trackerKey{w}).(*tracker)
	if !ok || any(tx) == nil || !reflect.TypeOf(tx).Comparable() {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended {
		return nil
	}
	if t.tx == nil {
		t.tx = tx
	}
	if t.tx != any(tx) {
		return nil
	}
	return t
}

// add notes what was written. A later write of an id replaces the earlier one,
// which must have been rolled back with a savepoint. The hook gets back the
// room for what is not going to be delivered.
func (t *tracker) add(hook CommitHook, ws []Written) {
	t.mu.Lock()
	var dropped []Written
	if t.ids == nil {
		t.ids = make(map[string]bool, len(ws))
	}
	for _, w := range ws {
		if w.Seq == 0 { // was there already: nothing to deliver
			if w.HeadStart > 0 {
				dropped = append(dropped, w)
			}
			continue
		}
		if t.ids[w.Event.ID] {
			i := slices.IndexFunc(t.writes, func(o Written) bool { return o.Event.ID == w.Event.ID })
			dropped = append(dropped, t.writes[i])
			t.writes = slices.Delete(t.writes, i, i+1)
		}
		t.ids[w.Event.ID] = true
		t.writes = append(t.writes, w)
	}
	t.mu.Unlock()
	if len(dropped) > 0 && hook != nil {
		hook.Dropped(dropped)
	}
}

func (t *tracker) take() []Written {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ended = true
	ws := t.writes
	t.writes = nil
	return ws
}
