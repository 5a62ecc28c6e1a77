// Package memstore is an outbox store in memory: the rules of a store, written
// as plainly as Go allows. It is the model that the random tests compare every
// other store with, and it is useful in tests of applications.
//
// It has real transactions: others see what a [Tx] writes only after its
// commit, a Tx can roll back to a savepoint, and a transaction that writes an
// id that another one has written waits for it as in a database. A Tx can also
// carry a business change ([Tx.Put]), so a test can show that event and change
// commit or roll back together.
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
