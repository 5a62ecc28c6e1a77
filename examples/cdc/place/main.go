// Command place places orders, each an argument such as 4711:12 with number and
// total, in a PostgreSQL database, and writes their events. An order of more than
// 1000 is rolled back, together with its event. No relay runs: Debezium reads the
// table.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/store/pgxstore"
)

type order struct {
	ID    string `json:"id"`
	Total int    `json:"total"`
}

var (
	orderPlaced = outbox.Define[order]("Order", "OrderPlaced")
	errDeclined = errors.New("card declined, so neither the order nor its event exists")
)

func place(ctx context.Context, w *outbox.Writer[pgx.Tx], o order) error {
	return w.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `INSERT INTO orders (id, total) VALUES ($1, $2)`, o.ID, o.Total); err != nil {
			return err
		}
		e := orderPlaced.New(o.ID, o)
		e.TenantID, e.Headers = "acme", map[string]string{"source": "web"}
		if _, err := w.Write(ctx, tx, e); err != nil {
			return err
		}
		if o.Total > 1000 {
			return errDeclined
		}
		return nil
	})
}

func run(ctx context.Context) error {
	pool, err := pgxpool.New(ctx, os.Getenv("DATABASE_URL"))
	if err != nil {
		return err
	}
	defer pool.Close()
	store, err := pgxstore.New(pool, pgxstore.Config{})
	if err != nil {
		return err
	}
	defer store.Close()
	if err := store.Migrate(ctx); err != nil {
		return err
	}
	if _, err := pool.Exec(ctx, `CREATE TABLE IF NOT EXISTS orders (id text PRIMARY KEY, total integer NOT NULL)`); err != nil {
		return err
	}

	w := outbox.NewWriter(store) // no relay hears of its commits
	for _, arg := range os.Args[1:] {
		id, total, _ := strings.Cut(arg, ":")
		o := order{ID: id}
		if o.Total, err = strconv.Atoi(total); err != nil {
			return fmt.Errorf("%q is not an order such as 4711:12: %w", arg, err)
		}
		switch err := place(ctx, w, o); {
		case errors.Is(err, errDeclined):
			fmt.Printf("order %s: %v\n", o.ID, errDeclined)
		case err != nil:
			return err
		default:
			fmt.Printf("order %s: placed\n", o.ID)
		}
	}
	return nil
}

func main() {
	if err := run(context.Background()); err != nil {
		log.Fatal(err)
	}
}
