// Package memstore is an outbox store in memory: the rules of a store written
// down as plainly as Go allows. It is the model that the random tests compare
// every other store with, and it serves tests of applications.
//
// It has real transactions: what a [Tx] writes is seen by others only once it
// is committed, savepoints can be rolled back to, and two transactions that
// write the same id wait for each other as they would in a database. A Tx can
// also carry a business change ([Tx.Put]), so that a test can show that event
// and change stand or fall together.
//
//	store := memstore.New(memstore.Config{})
//	w := outbox.NewWriter(store)
//	err := w.InTx(ctx, func(ctx context.Context, tx *memstore.Tx) error {
//		if err := tx.Put("order:1", "placed"); err != nil {
//			return err
//		}
//		_, err := w.Write(ctx, tx, outbox.Event{Type: "OrderPlaced", JSON: []byte(`{"id":1}`)})
//		return err
//	})
//
// Nothing survives the process, and every call takes one lock: it promises
// neither durability nor speed.
package memstore
