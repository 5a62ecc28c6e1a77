package bun_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/sqlitedialect"
	_ "modernc.org/sqlite" // registers the driver "sqlite"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/examples/internal/scratch"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/store/sqlitestore"
)

// Order is a row of the table orders.
type Order struct {
	ID    string `bun:",pk"`
	Total int
}

var (
	orderPlaced = outbox.Define[Order]("Order", "OrderPlaced")
	giftAdded   = outbox.Define[Order]("Order", "GiftAdded")
)

var errNoGiftsLeft = errors.New("no gifts left")

// placeOrder adds a gift if there is one. That part may fail by itself, so it is a
// transaction inside the transaction.
func placeOrder(ctx context.Context, db *bun.DB, w *outbox.Writer[*sql.Tx], o Order) error {
	ctx, done := w.Track(ctx)        // write with this context
	defer done(outbox.ErrRolledBack) // on every path but the last; the first call counts
	return done(db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		if _, err := tx.NewInsert().Model(&o).Exec(ctx); err != nil {
			return err
		}
		if _, err := w.Write(ctx, tx.Tx, orderPlaced.New(o.ID, o)); err != nil {
			return err
		}
		err := tx.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
			if _, err := w.Write(ctx, tx.Tx, giftAdded.New(o.ID, o)); err != nil {
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

func run(ctx context.Context, path string) error {
	sqlDB, err := sqlitestore.Open("sqlite", path)
	if err != nil {
		return err
	}
	defer func() { _ = sqlDB.Close() }()
	store, err := sqlitestore.New(sqlDB, sqlitestore.Config{})
	if err != nil {
		return err
	}
	if err := store.Migrate(ctx); err != nil {
		return err
	}

	db := bun.NewDB(sqlDB, sqlitedialect.New())
	if _, err := db.NewCreateTable().Model((*Order)(nil)).Exec(ctx); err != nil {
		return err
	}

	received := make(chan outbox.Event, 2)
	reg := outbox.NewRegistry()
	reg.Handle("OrderPlaced", func(_ context.Context, e outbox.Event) error {
		received <- e
		return nil
	})
	r, err := relay.New(store, reg, relay.Config{})
	if err != nil {
		return err
	}
	w := outbox.NewWriter(store, r.HotPath())

	ctx, stop := context.WithCancel(ctx)
	defer stop()
	finished := make(chan error, 1)
	go func() { finished <- r.Run(ctx) }()

	if err := placeOrder(ctx, db, w, Order{ID: "4711", Total: 12}); err != nil {
		return err
	}
	e := <-received
	fmt.Println("delivered:", e.Type, e.AggregateID, string(e.JSON))

	stop()
	return <-finished
}

func Example() {
	scratch.Run(run)
	// Output:
	// delivered: OrderPlaced 4711 {"ID":"4711","Total":12}
}
