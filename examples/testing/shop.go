package testing

import (
	"context"
	"errors"

	"github.com/sendoff-go/outbox"
)

// Order is what a Shop sells.
type Order struct {
	ID    string `json:"id"`
	Total int    `json:"total"`
}

// OrderPlaced is written with every order.
var OrderPlaced = outbox.Define[Order]("Order", "OrderPlaced")

// ErrEmpty is the error of an empty order.
var ErrEmpty = errors.New("the order is empty")

// Shop is the code under test. The transaction is a type parameter so that the
// tests can do without a database; a shop on one database needs none.
type Shop[Tx any] struct {
	Writer *outbox.Writer[Tx]
	Save   func(ctx context.Context, tx Tx, o Order) error
}

// Place saves an order and tells the world, or does neither.
func (s Shop[Tx]) Place(ctx context.Context, o Order) error {
	return s.Writer.InTx(ctx, func(ctx context.Context, tx Tx) error {
		if _, err := s.Writer.Write(ctx, tx, OrderPlaced.New(o.ID, o)); err != nil {
			return err
		}
		if o.Total == 0 {
			return ErrEmpty
		}
		return s.Save(ctx, tx, o)
	})
}

// Listen registers the listener that mails about a placed order.
func Listen(reg *outbox.Registry, mail func(ctx context.Context, o Order) error) {
	OrderPlaced.Handle(reg, func(ctx context.Context, _ outbox.Event, o Order) error { return mail(ctx, o) })
}
