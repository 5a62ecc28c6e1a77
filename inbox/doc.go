// Package inbox gives each event its effect once, however often it is
// delivered. A [Consumer] records the id of the event in the database of the
// effect, in the same transaction, under the name of its consumer group:
//
//	consumer, err := inbox.New(store, inbox.Config{Group: "billing"})
//	...
//	err = consumer.Consume(ctx, kafkasink.Message(record), func(ctx context.Context, tx *sql.Tx) error {
//		_, err := tx.ExecContext(ctx, `INSERT INTO invoices ...`)
//		return err
//	})
//
// Nil means that the message may be acknowledged: its effect was committed, now
// or at an earlier delivery. After an error nothing is left behind, neither the
// effect nor the id: let the broker redeliver it.
//
// [Consumer.ConsumeBatch] does the same for many messages, [Consumer.ConsumeIn]
// inside the caller's transaction, and [Consumer.Listener] for events that a
// relay delivers within the process. The ledger is a store of this module; two
// groups in one database both get every event. [Consumer.Run] removes ids past
// their retention. A [Cache] keeps duplicates away from the database.
//
// What it does not promise: an effect outside the transaction (an email, a call
// to another service) happens again with every delivery that fails after it;
// and an event that comes back after its id was removed takes effect again.
// Keep ids for longer than a broker redelivers and dead letters wait.
package inbox
