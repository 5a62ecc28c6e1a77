package main

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"strconv"

	"github.com/sendoff-go/outbox"
)

// Order is the payload of OrderPlaced.
type Order struct {
	ID   int    `json:"id"`
	Item string `json:"item"`
}

// OrderPlaced goes from the shop to the warehouse.
var OrderPlaced = outbox.Define[Order]("Order", "OrderPlaced")

// shop takes orders.
type shop struct {
	database
	writer *outbox.Writer[*sql.Tx]
	out    io.Writer
}

func openShop(ctx context.Context, out io.Writer, address string) (*shop, error) {
	db, err := openDatabase(ctx, address, "shop",
		`CREATE TABLE IF NOT EXISTS orders (id INTEGER PRIMARY KEY, item TEXT NOT NULL, status TEXT NOT NULL)`)
	return &shop{database: db, out: out}, err
}

// place commits the next order and its event, in the shop's database alone.
func (s *shop) place(ctx context.Context, item string) error {
	o := Order{Item: item}
	err := s.writer.InTx(ctx, func(ctx context.Context, tx *sql.Tx) error {
		err := tx.QueryRowContext(ctx, `INSERT INTO orders (id, item, status)
			SELECT coalesce(max(id), 0) + 1, $1, 'placed' FROM orders RETURNING id`, o.Item).Scan(&o.ID)
		if err != nil {
			return err
		}
		_, err = s.writer.Write(ctx, tx, OrderPlaced.New(strconv.Itoa(o.ID), o))
		return err
	})
	if err == nil {
		fmt.Fprintf(s.out, "shop:      order %d is placed\n", o.ID)
	}
	return err
}

// answered is called by the warehouse's relay. The inbox is in the shop's database,
// together with the order.
func (s *shop) answered(ctx context.Context, e outbox.Event, a Answer) error {
	status := "refused"
	if a.Reserved {
		status = "reserved"
	}
	fresh := false
	err := s.inbox.Consume(ctx, e.Received(), func(ctx context.Context, tx *sql.Tx) error {
		fresh = true
		_, err := tx.ExecContext(ctx, `UPDATE orders SET status = $1 WHERE id = $2`, status, a.Order)
		return err
	})
	if err == nil && fresh {
		fmt.Fprintf(s.out, "shop:      order %d is %s\n", a.Order, status)
	}
	return err
}
