package demo

import (
	"context"
	"errors"
	"fmt"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/inbox"
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
		" (id VARCHAR(36) PRIMARY KEY, customer VARCHAR(64) NOT NULL, cents BIGINT NOT NULL, state VARCHAR(16) NOT NULL, reserved INTEGER NOT NULL)")
}

func (s *shop) close(ctx context.Context) error {
	return s.db.Exec(ctx, "DROP TABLE IF EXISTS "+s.orders)
}

// serve takes an order through its life. A step that failed ends it: the shop
// has no retries of its own.
func (s *shop) serve(ctx context.Context, n int) error {
	o := newOrder(n)
	placed := []outbox.Event{orderPlaced.New(o.id(), o)}
	if mailed(n) {
		placed = append(placed, mailRequested.New(o.id(), o.mail()))
	}
	err := s.step(ctx, o, placed, func(ctx context.Context, tx dburl.Tx) error {
		return tx.Exec(ctx, "INSERT INTO "+s.orders+" (id, customer, cents, state, reserved) VALUES (?, ?, ?, 'placed', 0)", o.id(), o.Customer, o.Cents)
	}, nil)
	if err != nil {
		return err
	}
	var refused error
	if declined(n) {
		refused = errDeclined
	}
	paid := []outbox.Event{orderPaid.New(o.id(), o)}
	if invoiced(n) {
		paid = append(paid, invoiceRequested.New(o.id(), o.invoice()))
	}
	if err := s.step(ctx, o, paid, s.set(o, "paid"), refused); err != nil {
		if errors.Is(err, errDeclined) {
			return nil
		}
		return err
	}
	return s.step(ctx, o, []outbox.Event{orderShipped.New(o.id(), o)}, s.set(o, "shipped"), nil)
}

func (s *shop) set(o order, state string) func(context.Context, dburl.Tx) error {
	return func(ctx context.Context, tx dburl.Tx) error {
		return tx.Exec(ctx, "UPDATE "+s.orders+" SET state = ? WHERE id = ?", state, o.id())
	}
}

// step changes the order and writes the events in one transaction, which is
// rolled back if the business refuses it afterwards.
func (s *shop) step(ctx context.Context, o order, es []outbox.Event, change func(context.Context, dburl.Tx) error, refused error) error {
	for i, e := range es {
		es[i] = o.described(e)
	}
	err := s.writer.InTx(ctx, func(ctx context.Context, tx dburl.Tx) error {
		if err := change(ctx, tx); err != nil {
			return err
		}
		if err := tx.Write(ctx, es...); err != nil {
			return err
		}
		return refused
	})
	if err == nil {
		return nil
	}
	for _, e := range es {
		switch ledger := s.books.ledgers[e.Type]; {
		case errors.Is(err, outbox.ErrCommitUnknown):
			ledger.Unknown(o.Number)
		case errors.Is(err, errDeclined):
			ledger.RolledBack(o.Number)
		}
	}
	return fmt.Errorf("%s of %s: %w", es[0].Type, o.id(), err)
}

// reserver returns the listener of a consumer group that takes each order once,
// however often its event is delivered.
func (s *shop) reserver() (func(ctx context.Context, e outbox.Event) error, error) {
	group, err := s.db.Consumer(inbox.Config{Group: "warehouse", Logger: quiet})
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, e outbox.Event) error {
		return group.Consume(ctx, e.Received(), func(ctx context.Context, exec dburl.Exec) error {
			return exec(ctx, "UPDATE "+s.orders+" SET reserved = reserved + 1 WHERE id = ?", e.AggregateID)
		})
	}, nil
}
