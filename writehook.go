package outbox

import (
	"context"
	"errors"
	"log/slog"
)

// WriteHook takes part in writing. Every function may be nil.
type WriteHook struct {
	// AroundWrite runs once for each call of Write, WriteAll or WriteIfAbsent
	// that has events, before all else. The other functions of the hooks and the
	// INSERT get the context that it returns. The function that it returns is
	// called with the error of the write, or nil; it may be nil. The events are
	// as the caller gave them: it must not change or keep them.
	AroundWrite func(ctx context.Context, es []Event) (context.Context, func(err error))
	// BeforeWrite may change the event, skip it by returning [Skip], or refuse
	// the write with any other error. It runs before the checks.
	BeforeWrite func(ctx context.Context, e Event) (Event, error)
	// AfterWrite sees what was stored, before the commit.
	AfterWrite func(ctx context.Context, es []Event)
	// AfterCommit and AfterRollback see what a tracked transaction wrote, once
	// it has ended; AfterRollback also if the answer to its commit was lost. The
	// relay is told first, so that they cannot delay a delivery or change its
	// order; an event may have been delivered before AfterCommit sees it. A panic
	// in them is logged and goes no further.
	AfterCommit   func(es []Event)
	AfterRollback func(es []Event)
}

// around enters the hooks that surround a write, and returns what leaves them in
// reverse order; nil if there is none.
func (w *Writer[Tx]) around(ctx context.Context, es []Event) (_ context.Context, leave func(error)) {
	if len(es) == 0 {
		return ctx, nil
	}
	entered := false
	defer func() {
		if !entered && leave != nil { // a hook panics: those before it have been entered
			leave(errPanicked)
		}
	}()
	for _, h := range w.hooks {
		if h.AroundWrite == nil {
			continue
		}
		next, end := h.AroundWrite(ctx, es)
		ctx = next //nolint:fatcontext // each hook may add to it
		if outer := leave; end != nil {
			leave = func(err error) {
				if outer != nil {
					defer outer(err)
				}
				end(err)
			}
		}
	}
	entered = true
	return ctx, leave
}

func (w *Writer[Tx]) beforeWrite(ctx context.Context, e Event) (_ Event, keep bool, err error) {
	for _, h := range w.hooks {
		if h.BeforeWrite == nil {
			continue
		}
		if e, err = h.BeforeWrite(ctx, e); errors.Is(err, Skip) {
			return e, false, nil
		} else if err != nil {
			return e, false, err
		}
	}
	return e, true, nil
}

func (w *Writer[Tx]) afterWrite(ctx context.Context, es []Event) {
	if len(es) == 0 {
		return
	}
	for _, h := range w.hooks {
		if h.AfterWrite != nil {
			h.AfterWrite(ctx, es)
		}
	}
}

// ended runs the hooks of a transaction whose end is known. Nothing that goes
// wrong in them may look like a failed commit to the caller.
func (w *Writer[Tx]) ended(ws, others []Written, committed bool) {
	if w.commit != nil && len(ws)+len(others) > 0 {
		guard(w.logger, "commit hook", func() {
			if committed {
				w.commit.Committed(append(ws[:len(ws):len(ws)], others...))
			} else {
				w.commit.Dropped(ws)
			}
		})
	}
	if len(ws) == 0 {
		return
	}
	for _, h := range w.hooks {
		f, name := h.AfterRollback, "AfterRollback hook"
		if committed {
			f, name = h.AfterCommit, "AfterCommit hook"
		}
		if f != nil {
			guard(w.logger, name, func() { f(events(ws)) })
		}
	}
}

func events(ws []Written) []Event {
	es := make([]Event, len(ws))
	for i := range ws {
		es[i] = ws[i].Event
	}
	return es
}

func guard(l *slog.Logger, what string, f func()) {
	defer func() {
		if p := recover(); p != nil {
			l.Error("outbox: panic in "+what, "panic", p)
		}
	}()
	f()
}
