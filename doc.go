// Package outbox writes events in the caller's own database transaction, so
// that an event exists exactly when the change that caused it was committed,
// and defines the contract by which a relay then delivers it.
//
// The nouns:
//
//   - An [Event] is what happened. It is immutable once written.
//   - A [Writer] stores events inside a transaction that the caller owns.
//   - A [Store] keeps them. Drivers live under store/; package storetest says
//     what a driver has to do.
//   - A [Registry] says where an event goes: to a [Listener] in this process,
//     to a [BatchListener], or to a [Sink] such as a message broker.
//   - The relay (package relay) claims waiting events, delivers them, and
//     settles each with an [Outcome].
//
// In short:
//
//	reg := outbox.NewRegistry()
//	reg.Handle("OrderPlaced", func(ctx context.Context, e outbox.Event) error { ... })
//	r, err := relay.New(store, reg, relay.Config{})
//	w := outbox.NewWriter(store, r)
//	go r.Run(ctx)
//
//	err = w.InTx(ctx, func(ctx context.Context, tx *sql.Tx) error {
//		// change your own rows with tx, then:
//		_, err := w.Write(ctx, tx, outbox.Event{Type: "OrderPlaced", JSON: body})
//		return err
//	})
//
// It does not promise exactly-once delivery or a global order: events may be
// delivered more than once after a failure (receivers drop duplicates by
// [Event.ID]; package inbox does it for them), and events of different
// aggregates arrive in no particular order.
package outbox
