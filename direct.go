package outbox

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"
)

// Direct is a writer that stores nothing and hands each event to the listener
// once, after the commit, in the goroutine that committed. It guarantees
// nothing: an event is lost if the process ends or the listener fails, which is
// only logged. It is for load tests and for uses that tolerate loss; call sites
// stay the same as with [NewWriter]. Only tracked transactions ([Writer.InTx],
// [Writer.Track]) deliver anything.
func Direct[Tx any](store TxStore[Tx], l Listener, opts ...WriterOption) *Writer[Tx] {
	hook := &directHook{listener: l}
	w := NewWriter(TxStore[Tx](directStore[Tx]{store}), append(slices.Clone(opts), WithCommitHook(hook))...)
	hook.logger = w.logger
	return w
}

// directStore keeps the transactions of the store and drops its INSERTs.
type directStore[Tx any] struct{ TxStore[Tx] }

func (directStore[Tx]) Insert(_ context.Context, _ Tx, req InsertRequest) ([]Inserted, error) {
	for _, e := range req.Events {
		if e.Delayed() {
			return nil, errors.New("outbox: a direct writer stores nothing, so it cannot delay an event: clear AvailableAt and DeliverAfter")
		}
	}
	answers := make([]Inserted, len(req.Events))
	for i := range answers {
		answers[i] = Inserted{Seq: int64(i) + 1}
	}
	return answers, nil
}

type directHook struct {
	listener Listener
	logger   *slog.Logger
}

func (*directHook) Admit([]Event, time.Time) time.Duration { return 0 }
func (*directHook) Dropped([]Written)                      {}

func (h *directHook) Committed(ws []Written) {
	for _, w := range ws {
		if w.Seq == 0 { // written in a transaction that is not tracked
			continue
		}
		guard(h.logger, "direct listener", func() {
			if err := h.listener(context.Background(), w.Event); err != nil {
				h.logger.Error("outbox: direct delivery failed, the event is lost", "event_id", w.Event.ID, "event_type", w.Event.Type, "error", err)
			}
		})
	}
}
