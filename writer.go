package outbox

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/sendoff-go/outbox/internal/header"
)

// Writer stores events inside the caller's transactions. Make one with
// [NewWriter] and keep it; it is safe for concurrent use.
type Writer[Tx any] struct {
	store TxStore[Tx]
	writerConfig
}

type writerConfig struct {
	commit CommitHook
	hidden bool // an earlier commit hook was replaced
	hooks  []WriteHook
	known  map[string]bool
	logger *slog.Logger

	maxPayload int
	notifyInTx bool
}

// WriterOption changes a [Writer].
type WriterOption func(*writerConfig)

// WithWriteHooks adds hooks, which run in this order.
func WithWriteHooks(hooks ...WriteHook) WriterOption {
	return func(c *writerConfig) { c.hooks = append(c.hooks, hooks...) }
}

// WithCommitHook tells hook what the writer commits. HotPath of a relay is such
// an option, and delivers right after the commit. Default: no hook, so that
// delivery is left to relays elsewhere or to a CDC pipeline. A writer has one
// hook: of several the last counts, and the log says so.
func WithCommitHook(hook CommitHook) WriterOption {
	return func(c *writerConfig) {
		c.hidden = c.hidden || c.commit != nil
		c.commit = hook
	}
}

// WithKnownTypes refuses other event types with [ErrUnknownType]. Default: any
// type is written.
func WithKnownTypes(types ...string) WriterOption {
	return func(c *writerConfig) {
		c.known = make(map[string]bool, len(types))
		for _, t := range types {
			c.known[t] = true
		}
	}
}

// WithLogger logs to l. Default, and if l is nil: slog.Default.
func WithLogger(l *slog.Logger) WriterOption { return func(c *writerConfig) { c.logger = l } }

// WithMaxPayload bounds the payload of an event, in bytes. Default:
// [MaxPayload]. A larger one must also fit into what the relay may hold, and
// into what the destination takes.
func WithMaxPayload(bytes int) WriterOption { return func(c *writerConfig) { c.maxPayload = bytes } }

// WithNotifyInTx wakes relays from inside the transaction for writes that are
// not tracked, since no hook hears of their commit. It has an effect only on
// stores that support it, such as those on PostgreSQL. Default: off, and such
// writes wait for the poller, because PostgreSQL commits transactions that
// notify one at a time.
func WithNotifyInTx() WriterOption { return func(c *writerConfig) { c.notifyInTx = true } }

// NewWriter makes a writer that stores events in store. With the HotPath of
// this process's relay as an option, the events are delivered right after the
// commit.
func NewWriter[Tx any](store TxStore[Tx], opts ...WriterOption) *Writer[Tx] {
	w := &Writer[Tx]{store: store}
	w.maxPayload = MaxPayload
	for _, o := range opts {
		if o != nil {
			o(&w.writerConfig)
		}
	}
	if w.logger == nil {
		w.logger = slog.Default()
	}
	if w.hidden {
		w.logger.Warn("outbox: a writer has several commit hooks and uses only the last: give it one, HotPath of the relay in this process if there is one")
	}
	return w
}

// Write stores one event inside tx and returns its id.
func (w *Writer[Tx]) Write(ctx context.Context, tx Tx, e Event) (string, error) {
	ids, err := w.WriteAll(ctx, tx, e)
	if err != nil {
		return "", err
	}
	return ids[0], nil
}

// WriteAll stores events inside tx and returns their ids in the same order; an
// event that a hook skipped has the id "". Without events it does nothing.
// After an error, roll back the transaction.
func (w *Writer[Tx]) WriteAll(ctx context.Context, tx Tx, es ...Event) ([]string, error) {
	ids, _, err := w.write(ctx, tx, es, false)
	return ids, err
}

// WriteIfAbsent stores the events whose id is not stored yet, and returns the
// ids that were stored already, as pending, done or dead events. It does not
// break the transaction.
func (w *Writer[Tx]) WriteIfAbsent(ctx context.Context, tx Tx, es ...Event) (existing []string, err error) {
	_, existing, err = w.write(ctx, tx, es, true)
	return existing, err
}

// The limits of one INSERT. What is larger is split.
const (
	maxInsertRows  = 500
	maxInsertBytes = 4 << 20
)

func (w *Writer[Tx]) write(ctx context.Context, tx Tx, es []Event, ifAbsent bool) (ids, existing []string, err error) {
	ctx, leave := w.around(ctx, es)
	if leave == nil {
		return w.writeIn(ctx, tx, es, ifAbsent)
	}
	err = errPanicked
	defer func() { leave(err) }()
	ids, existing, err = w.writeIn(ctx, tx, es, ifAbsent)
	return ids, existing, err
}

// writeIn is write within the hooks that surround it.
func (w *Writer[Tx]) writeIn(ctx context.Context, tx Tx, es []Event, ifAbsent bool) (ids, existing []string, err error) {
	ready, ids, err := w.prepare(ctx, es)
	if err != nil || len(ready) == 0 {
		return ids, nil, err
	}
	for _, chunk := range chunks(ready) {
		found, err := w.insert(ctx, tx, chunk, ifAbsent)
		if err != nil {
			return nil, nil, err
		}
		existing = append(existing, found...)
	}
	w.afterWrite(ctx, without(ready, existing))
	return ids, existing, nil
}

// without returns es without the events of those ids.
func without(es []Event, ids []string) []Event {
	if len(ids) == 0 {
		return es
	}
	out := make([]Event, 0, len(es))
	for i := range es {
		if !slices.Contains(ids, es[i].ID) {
			out = append(out, es[i])
		}
	}
	return out
}

// prepare copies, completes and checks all events before the first is sent.
func (w *Writer[Tx]) prepare(ctx context.Context, es []Event) (ready []Event, ids []string, err error) {
	ready, ids = make([]Event, 0, len(es)), make([]string, len(es))
	seen := make(map[string]bool, len(es))
	for i, e := range es {
		e = e.Clone()
		e, keep, err := w.beforeWrite(ctx, e)
		if err != nil {
			return nil, nil, err
		}
		if !keep {
			continue
		}
		complete(&e)
		if err := validate(&e, w.maxPayload); err != nil {
			return nil, nil, err
		}
		if _, err := header.Encode(e.Headers, MaxHeaders); err != nil {
			return nil, nil, invalid(&e, "%w", err)
		}
		if w.known != nil && !w.known[e.Type] {
			return nil, nil, fmt.Errorf("%w: %q: add it to the configuration, or correct it", ErrUnknownType, e.Type)
		}
		if seen[e.ID] {
			return nil, nil, fmt.Errorf("%w: %s appears twice in one call: leave one out, or give it its own id", ErrDuplicateID, e.ID)
		}
		seen[e.ID] = true
		ready, ids[i] = append(ready, e), e.ID
	}
	return ready, ids, nil
}

// complete fills in the defaults.
func complete(e *Event) {
	if e.ID == "" {
		e.ID = NewID()
	}
	if e.AggregateType == "" {
		e.AggregateType = GlobalAggregate
	}
	if e.OccurredAt.IsZero() {
		e.OccurredAt = time.Now()
	}
	e.OccurredAt = e.OccurredAt.Truncate(time.Microsecond).UTC()
}

func chunks(es []Event) [][]Event {
	var out [][]Event
	start, size := 0, 0
	for i := range es {
		n := es[i].Size()
		if i > start && (i-start == maxInsertRows || size+n > maxInsertBytes) {
			out, start, size = append(out, es[start:i]), i, 0
		}
		size += n
	}
	return append(out, es[start:])
}

// insert stores one chunk and notes it for the commit.
func (w *Writer[Tx]) insert(ctx context.Context, tx Tx, es []Event, ifAbsent bool) (existing []string, err error) {
	t, watched := w.trackerOf(ctx, tx)
	req := InsertRequest{Events: es, IfAbsent: ifAbsent}
	since := time.Now()
	if watched && w.commit != nil {
		req.HeadStart = w.commit.Admit(es, since)
	}
	ws := make([]Written, len(es))
	for i := range es {
		ws[i] = Written{Event: es[i], HeadStart: req.HeadStart, Since: since}
	}
	stored := false
	defer func() { // the store may panic, and admitted events keep their room until they are dropped
		if !stored && req.HeadStart > 0 {
			w.commit.Dropped(ws)
		}
	}()
	answers, err := w.store.Insert(ctx, tx, req)
	if err == nil && len(answers) != len(es) {
		err = fmt.Errorf("outbox: the store answered for %d of %d events", len(answers), len(es))
	}
	if err != nil {
		return nil, err
	}
	stored = true
	for i := range ws {
		ws[i].Seq, ws[i].Confirm = answers[i].Seq, !answers[i].TopLevel
	}
	for i := range ws {
		if ws[i].Seq == 0 && ifAbsent {
			existing = append(existing, ws[i].Event.ID)
		}
	}
	switch {
	case watched:
		t.add(w.commit, ws)
		return existing, nil
	case t != nil:
		t.addOther(es)
		return existing, nil
	}
	if h, ok := w.commit.(untrackedHook); ok {
		h.Untracked()
	}
	if w.notifyInTx {
		return existing, w.notifyIn(ctx, tx, es)
	}
	return existing, nil
}
