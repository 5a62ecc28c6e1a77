package mysqlstore_test

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/store/mysqlstore"
)

// An event is written in the transaction of the business change that it is
// about. The example needs a server, so it is compiled but not run.
func ExampleNew() {
	ctx := context.Background()
	db, err := sql.Open("mysql", "shop@tcp(localhost:3306)/shop?interpolateParams=true")
	if err != nil {
		fmt.Println(err)
		return
	}
	store, err := mysqlstore.New(db, mysqlstore.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := store.Migrate(ctx); err != nil {
		fmt.Println(err)
		return
	}
	w := outbox.NewWriter(store)
	err = w.InTx(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "INSERT INTO orders (id) VALUES (?)", 4711); err != nil {
			return err
		}
		_, err := w.Write(ctx, tx, outbox.Event{Type: "OrderPlaced", JSON: []byte(`{"id": 4711}`)})
		return err
	})
	if err != nil {
		fmt.Println(err)
	}
}
