package tally

import "github.com/sendoff-go/outbox"

// Commits notes what a writer commits. Of finds the ledger and the number of an
// event.
func Commits(of func(outbox.Event) (*Ledger, int)) func([]outbox.Event) {
	return func(es []outbox.Event) {
		for _, e := range es {
			l, n := of(e)
			l.Committed(n)
		}
	}
}
