// Package inbox gives each event its effect once, however often it is
// delivered. A [Consumer] notes the id of the event in the database of the
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
// or at an earlier delivery. After an error nothing was left behind, neither the
// effect nor the id, and the broker is to deliver it again.
//
// [Consumer.ConsumeBatch] does the same for many, [Consumer.ConsumeIn] inside a
// transaction of the caller's, and [Consumer.Listener] for events that a relay
// delivers within the process. The ledger is a store of this module; two groups
// in one database both get every event. [Consumer.Run] forgets ids past their
// retention. A [Cache] saves the database the duplicates.
//
// What it does not promise: an effect outside of the transaction (a mail, a call
// of another service) happens again with every delivery that fails after it; and
// an event that comes back after its id was forgotten has its effect again. Keep
// ids for longer than a broker redelivers and dead letters wait.
package inbox
