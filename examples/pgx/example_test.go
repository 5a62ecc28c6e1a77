package pgx_test

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/store/pgxstore"
)

// Order is a row of the table orders.
type Order struct {
	ID    string
	Total int
}

var (
	orderPlaced = outbox.Define[Order]("Order", "OrderPlaced")
	giftAdded   = outbox.Define[Order]("Order", "GiftAdded")
)

var errNoGiftsLeft = errors.New("no gifts left")

// placeOrder adds a gift if there is one. That part may fail by itself, so it is a
// transaction inside the transaction.
func placeOrder(ctx context.Context, pool *pgxpool.Pool, w *outbox.Writer[pgx.Tx], o Order) error {
	ctx, done := w.Track(ctx)        // write with this context
	defer done(outbox.ErrRolledBack) // on every path but the last; the first call counts
	return done(pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `INSERT INTO orders (id, total) VALUES ($1, $2)`, o.ID, o.Total); err != nil {
			return err
		}
		if _, err := w.Write(ctx, tx, orderPlaced.New(o.ID, o)); err != nil {
			return err
		}
		err := pgx.BeginFunc(ctx, tx, func(tx pgx.Tx) error {
			if _, err := w.Write(ctx, tx, giftAdded.New(o.ID, o)); err != nil {
				return err
			}
			return errNoGiftsLeft // rolls back the gift, and its event
		})
		if !errors.Is(err, errNoGiftsLeft) {
			return err
		}
		return nil
	}))
}

func run(ctx context.Context) error {
	pool, err := pgxpool.New(ctx, os.Getenv("DATABASE_URL"))
	if err != nil {
		return err
	}
	defer pool.Close()
	if _, err := pool.Exec(ctx, `CREATE TABLE orders (id text PRIMARY KEY, total integer NOT NULL)`); err != nil {
		return err
	}
	store, err := pgxstore.New(pool, pgxstore.Config{})
	if err != nil {
		return err
	}
	defer store.Close() // the relay's own connections; the pool is yours
	if err := store.Migrate(ctx); err != nil {
		return err
	}

	received := make(chan outbox.Event, 2)
	reg := outbox.NewRegistry()
	reg.Handle("OrderPlaced", func(_ context.Context, e outbox.Event) error {
		received <- e
		return nil
	})
	r, err := relay.New(store, reg, relay.Config{Wakers: []driver.Waker{store.Waker(nil)}})
	if err != nil {
		return err
	}
	w := outbox.NewWriter(store, r.HotPath())

	ctx, stop := context.WithCancel(ctx)
	defer stop()
	finished := make(chan error, 1)
	go func() { finished <- r.Run(ctx) }()

	if err := placeOrder(ctx, pool, w, Order{ID: "4711", Total: 12}); err != nil {
		return err
	}
	e := <-received
	fmt.Println("delivered:", e.Type, e.AggregateID, string(e.JSON))

	stop()
	return <-finished
}

func Example() {
	if err := run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output: delivered: OrderPlaced 4711 {"ID":"4711","Total":12}
}
