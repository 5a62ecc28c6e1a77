// Package outbox writes events in the caller's own database transaction, so
// that an event exists exactly when the change that caused it was committed. A
// relay then delivers it, at least once.
//
// The nouns:
//
//   - An [Event] is what happened. It is immutable once written.
//   - A [Writer] stores events inside a transaction that the caller owns, in a
//     store: one of the packages under store/.
//   - A [Registry] says where an event goes: to a [Listener] in this process,
//     to a [BatchListener], or to a [Sink] such as a message broker.
//   - The relay (package relay) claims waiting events and delivers them.
//
// Write an event with the transaction you already have:
//
//	tx, err := db.BeginTx(ctx, nil)
//	if err != nil { ... }
//	defer tx.Rollback()
//	// change your own rows with tx, then:
//	_, err = w.Write(ctx, tx, outbox.Event{Type: "OrderPlaced", JSON: body})
//	if err != nil { ... }
//	return tx.Commit()
//
// and have it delivered, in this process or in another one:
//
//	reg := outbox.NewRegistry()
//	reg.Handle("OrderPlaced", func(ctx context.Context, e outbox.Event) error { ... })
//	r, err := relay.New(store, reg, relay.Config{})
//	if err != nil { ... }
//	w := outbox.NewWriter(store, r.HotPath())
//	go r.Run(ctx)
//
// That way it is delivered at the relay's next poll. [Writer.InTx] and
// [Writer.Track] tell the relay of the commit, which makes it immediate.
//
// It does not promise exactly-once delivery or a global order: events may be
// delivered more than once after a failure (receivers drop duplicates by
// [Event.ID]; package inbox does it for them). One relay runs the events of one
// aggregate one at a time and in order, but a retry is overtaken, and between
// aggregates there is no order.
package outbox
