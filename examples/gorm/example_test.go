package gorm_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/libtnb/sqlite" // GORM's dialect on modernc.org/sqlite
	"gorm.io/gorm"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/examples/internal/scratch"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/store/sqlitestore"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

// Order is a row of the table orders.
type Order struct {
	ID    string `gorm:"primaryKey"`
	Total int
}

var (
	orderPlaced = outbox.Define[Order]("Order", "OrderPlaced")
	giftAdded   = outbox.Define[Order]("Order", "GiftAdded")
)

// txOf returns the transaction that tx runs in, or nil, which Write refuses.
func txOf(tx *gorm.DB) sqlstore.Tx {
	t, _ := tx.Statement.ConnPool.(sqlstore.Tx)
	return t
}

var errNoGiftsLeft = errors.New("no gifts left")

// placeOrder adds a gift if there is one. That part may fail by itself, so it is a
// transaction inside the transaction.
func placeOrder(ctx context.Context, db *gorm.DB, w *outbox.Writer[sqlstore.Tx], o Order) error {
	ctx, done := w.Track(ctx)        // write with this context
	defer done(outbox.ErrRolledBack) // on every path but the last; the first call counts
	return done(db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := tx.Create(&o).Error; err != nil {
			return err
		}
		if _, err := w.Write(ctx, txOf(tx), orderPlaced.New(o.ID, o)); err != nil {
			return err
		}
		err := tx.Transaction(func(tx *gorm.DB) error {
			if _, err := w.Write(ctx, txOf(tx), giftAdded.New(o.ID, o)); err != nil {
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

	db, err := gorm.Open(sqlite.New(sqlite.Config{Conn: sqlDB}), &gorm.Config{})
	if err != nil {
		return err
	}
	if err := db.WithContext(ctx).AutoMigrate(&Order{}); err != nil {
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
	w := outbox.NewWriter(store.ORM(), r.HotPath())

	ctx, stop := context.WithCancel(ctx)
	defer stop()
	finished := make(chan error, 1)
	go func() { finished <- r.Run(ctx) }()

	if err := placeOrder(ctx, db, w, Order{ID: "4711", Total: 12}); err != nil {
		return err
	}
	e := <-received
	fmt.Println("delivered:", e.Type, e.AggregateID, string(e.JSON))

	_, err = w.Write(ctx, txOf(db), orderPlaced.New("4712", Order{}))
	fmt.Println("outside of a transaction:", errors.Is(err, outbox.ErrNoTransaction))

	stop()
	return <-finished
}

func Example() {
	scratch.Run(run)
	// Output:
	// delivered: OrderPlaced 4711 {"ID":"4711","Total":12}
	// outside of a transaction: true
}
