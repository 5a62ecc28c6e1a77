package main

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"strconv"

	"github.com/sendoff-go/outbox"
)

// Answer is the payload of OrderAnswered.
type Answer struct {
	Order    int  `json:"order"`
	Reserved bool `json:"reserved"`
}

// OrderAnswered goes from the warehouse to the shop.
var OrderAnswered = outbox.Define[Answer]("Order", "OrderAnswered")

// warehouse reserves what was ordered, as long as stock lasts.
type warehouse struct {
	database
	writer *outbox.Writer[*sql.Tx]
	out    io.Writer
}

// delivered is how many lamps arrive at the start.
const delivered = 3

func openWarehouse(ctx context.Context, out io.Writer, address string) (*warehouse, error) {
	db, err := openDatabase(ctx, address, "warehouse",
		`CREATE TABLE IF NOT EXISTS stock (item TEXT PRIMARY KEY, units INTEGER NOT NULL)`,
		`CREATE TABLE IF NOT EXISTS reservations (order_id INTEGER PRIMARY KEY, item TEXT NOT NULL)`,
		fmt.Sprintf(`INSERT INTO stock (item, units) VALUES ('lamp', %d)
			ON CONFLICT (item) DO UPDATE SET units = stock.units + excluded.units`, delivered))
	return &warehouse{database: db, out: out}, err
}

// ordered is called by the shop's relay. One transaction of the warehouse's database
// has the id of the shop's event, the reservation, and the warehouse's own event.
func (w *warehouse) ordered(ctx context.Context, e outbox.Event, o Order) error {
	var fresh, reserved bool
	err := w.writer.InTx(ctx, func(ctx context.Context, tx *sql.Tx) (err error) {
		if fresh, err = w.inbox.ConsumeIn(ctx, tx, e.Received()); err != nil || !fresh {
			return err
		}
		if reserved, err = reserve(ctx, tx, o); err != nil {
			return err
		}
		_, err = w.writer.Write(ctx, tx, OrderAnswered.New(strconv.Itoa(o.ID), Answer{Order: o.ID, Reserved: reserved}))
		return err
	})
	if err == nil && fresh {
		fmt.Fprintf(w.out, "warehouse: a %s for order %d: %t\n", o.Item, o.ID, reserved)
	}
	return err
}

// reserve takes one unit, if there is one.
func reserve(ctx context.Context, tx *sql.Tx, o Order) (bool, error) {
	taken, err := tx.ExecContext(ctx, `UPDATE stock SET units = units - 1 WHERE item = $1 AND units > 0`, o.Item)
	if err != nil {
		return false, err
	}
	if n, err := taken.RowsAffected(); err != nil || n == 0 {
		return false, err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO reservations (order_id, item) VALUES ($1, $2)`, o.ID, o.Item)
	return err == nil, err
}
