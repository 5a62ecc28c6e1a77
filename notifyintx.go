package outbox

import (
	"context"
	"slices"
)

// notifyIn asks the database to wake relays when tx commits. Delayed events are
// left to the poller, as everywhere.
func (w *Writer[Tx]) notifyIn(ctx context.Context, tx Tx, es []Event) error {
	to, ok := w.store.(txNotifier[Tx])
	if !ok {
		return nil
	}
	var lanes []string
	for i := range es {
		if !es[i].Delayed() && !slices.Contains(lanes, es[i].Type) {
			lanes = append(lanes, es[i].Type)
		}
	}
	if len(lanes) == 0 {
		return nil
	}
	return to.NotifyIn(ctx, tx, lanes)
}

// txNotifier is driver.TxNotifyStore, which this package cannot import.
type txNotifier[Tx any] interface {
	NotifyIn(ctx context.Context, tx Tx, lanes []string) error
}
