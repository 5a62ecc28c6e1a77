package tally

import (
	"time"

	"github.com/sendoff-go/outbox"
)

// Hook stands between a writer and a relay, and notes commits the moment their
// answer is there, before the relay is told.
type Hook struct {
	// Relay is told as well; nil: nobody is, and no event is hot.
	Relay outbox.CommitHook
	// Of finds the ledger and the number of an event.
	Of func(outbox.Event) (*Ledger, int)
}

// Admit implements [outbox.CommitHook].
func (h *Hook) Admit(es []outbox.Event, since time.Time) time.Duration {
	if h.Relay == nil {
		return 0
	}
	return h.Relay.Admit(es, since)
}

// Committed implements [outbox.CommitHook].
func (h *Hook) Committed(ws []outbox.Written) {
	for i := range ws {
		l, n := h.Of(ws[i].Event)
		l.Committed(n)
	}
	if h.Relay != nil {
		h.Relay.Committed(ws)
	}
}

// Dropped implements [outbox.CommitHook]. Whether the transaction was rolled
// back or its end is unknown only its owner can tell the ledger.
func (h *Hook) Dropped(ws []outbox.Written) {
	if h.Relay != nil {
		h.Relay.Dropped(ws)
	}
}
