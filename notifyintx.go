package outbox

import (
	"context"
	"slices"
)

// notifyIn asks the database to wake relays when tx commits. Events for later
// are left to the poller, as everywhere.
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

// txNotifier is the power of a store that package driver calls TxNotifyStore.
type txNotifier[Tx any] interface {
	NotifyIn(ctx context.Context, tx Tx, lanes []string) error
}
