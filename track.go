package outbox

import (
	"context"
	"slices"

	"github.com/sendoff-go/outbox/internal/watch"
)

// Track watches a transaction that the caller begins and ends, so that its
// events can be delivered right after the commit. Write with the returned
// context, and end the transaction with done:
//
//	ctx, done := w.Track(ctx)
//	defer done(outbox.ErrRolledBack) // for every return but the last
//	tx, err := db.BeginTx(ctx, nil)
//	if err != nil { ... }
//	defer tx.Rollback()
//	...
//	return done(tx.Commit())
//
// Done takes the error of the outermost Commit, or any error after a rollback,
// and returns it; a lost answer becomes [ErrCommitUnknown]. It may be called
// more than once; only the first call counts. The tracker binds to the first
// transaction that writes; writes in another one, such as a nested one that the
// driver shows as a transaction of its own, are stored as usual, and the poller
// is woken for them. If done is never called, the poller delivers the events
// after their head start.
func (w *Writer[Tx]) Track(ctx context.Context) (_ context.Context, done func(commitErr error) error) {
	t := &tracker{}
	return watch.With(ctx, w, t), func(commitErr error) error {
		if commitErr != nil {
			commitErr = w.store.CommitError(commitErr)
		}
		ws, others := t.take()
		w.ended(ws, others, commitErr == nil)
		return commitErr
	}
}

type tracker struct {
	watch.Tx
	writes []Written
	others []Written // of other transactions: to wake the poller for
	ids    map[string]bool
}

// trackerOf returns the context's tracker, and whether it tracks tx.
func (w *Writer[Tx]) trackerOf(ctx context.Context, tx Tx) (t *tracker, watched bool) {
	t, ok := watch.In[*tracker](ctx, w, tx)
	if !ok {
		return nil, false
	}
	t.Lock()
	defer t.Unlock()
	watched, over := t.Is(tx)
	if over {
		return nil, false
	}
	return t, watched
}

// addOther notes writes of a transaction that is not tracked. They may never
// exist, so only the poller hears of them.
func (t *tracker) addOther(es []Event) {
	t.Lock()
	defer t.Unlock()
	for _, e := range es {
		t.others = append(t.others, Written{Event: Event{ID: e.ID, Type: e.Type, AvailableAt: e.AvailableAt, DeliverAfter: e.DeliverAfter}})
	}
}

// add notes what was written. A later write of an id replaces the earlier one,
// which must have been rolled back with a savepoint. The hook gets back the
// room of events that will not be delivered.
func (t *tracker) add(hook CommitHook, ws []Written) {
	t.Lock()
	var dropped []Written
	if t.ids == nil {
		t.ids = make(map[string]bool, len(ws))
	}
	for _, w := range ws {
		if w.Seq == 0 { // stored before: nothing to deliver
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
	t.Unlock()
	if len(dropped) > 0 && hook != nil {
		hook.Dropped(dropped)
	}
}

func (t *tracker) take() (ws, others []Written) {
	t.Lock()
	defer t.Unlock()
	ws, others = t.writes, t.others
	t.writes, t.others = nil, nil
	t.End()
	return ws, others
}
