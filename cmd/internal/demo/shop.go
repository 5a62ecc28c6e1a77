package demo

import (
	"context"
	"errors"
	"fmt"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/cmd/internal/dburl"
)

// shop is the business: a table of orders, and a transaction for every step.
type shop struct {
	db     *dburl.Handle
	orders string // the table
	writer dburl.Writer
	books  *books
}

func (s *shop) open(ctx context.Context) error {
	return s.db.Exec(ctx, "CREATE TABLE "+s.orders+
		" (id VARCHAR(36) PRIMARY KEY, customer VARCHAR(64) NOT NULL, cents BIGINT NOT NULL, state VARCHAR(16) NOT NULL)")
}

func (s *shop) close(ctx context.Context) error {
	return s.db.Exec(ctx, "DROP TABLE IF EXISTS "+s.orders)
}

// serve takes an order through its life. A step that failed ends it: the shop
// has no retries of its own.
func (s *shop) serve(ctx context.Context, n int) error {
	o := newOrder(n)
	err := s.step(ctx, orderPlaced, o, func(ctx context.Context, tx dburl.Tx) error {
		return tx.Exec(ctx, "INSERT INTO "+s.orders+" (id, customer, cents, state) VALUES (?, ?, ?, 'placed')", o.id(), o.Customer, o.Cents)
	}, nil)
	if err != nil {
		return err
	}
	var refused error
	if declined(n) {
		refused = errDeclined
	}
	if err := s.step(ctx, orderPaid, o, s.set(o, "paid"), refused); err != nil {
		if errors.Is(err, errDeclined) {
			return nil
		}
		return err
	}
	return s.step(ctx, orderShipped, o, s.set(o, "shipped"), nil)
}

func (s *shop) set(o order, state string) func(context.Context, dburl.Tx) error {
	return func(ctx context.Context, tx dburl.Tx) error {
		return tx.Exec(ctx, "UPDATE "+s.orders+" SET state = ? WHERE id = ?", state, o.id())
	}
}

// step changes the order and writes the event in one transaction, which is
// rolled back if the business refuses it afterwards.
func (s *shop) step(ctx context.Context, d outbox.Definition[order], o order, change func(context.Context, dburl.Tx) error, refused error) error {
	err := s.writer.InTx(ctx, func(ctx context.Context, tx dburl.Tx) error {
		if err := change(ctx, tx); err != nil {
			return err
		}
		if err := tx.Write(ctx, d.New(o.id(), o)); err != nil {
			return err
		}
		return refused
	})
	switch ledger := s.books.ledgers[d.Type()]; {
	case err == nil:
		return nil
	case errors.Is(err, outbox.ErrCommitUnknown):
		ledger.Unknown(o.Number)
	case errors.Is(err, errDeclined):
		ledger.RolledBack(o.Number)
	}
	return fmt.Errorf("%s of %s: %w", d.Type(), o.id(), err)
}
