package interceptor_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	_ "modernc.org/sqlite" // registers the driver "sqlite"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/examples/internal/scratch"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/store/sqlitestore"
)

type tenantKey struct{}

// tenant makes the event's tenant known to whatever the listener calls.
func tenant(ctx context.Context, e outbox.Event) (context.Context, error) {
	if e.TenantID == "" {
		return ctx, outbox.Permanent(errors.New("the event names no tenant")) // the listener is not called
	}
	return context.WithValue(ctx, tenantKey{}, e.TenantID), nil
}

// outcome runs after the event.
func outcome(ctx context.Context, e outbox.Event, err error) {
	delivery, _ := outbox.DeliveryFrom(ctx)
	fmt.Printf("after %s, attempt %d: %v\n", e.AggregateID, delivery.Attempt, err)
}

func run(ctx context.Context, path string) error {
	db, err := sqlitestore.Open("sqlite", path)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	store, err := sqlitestore.New(db, sqlitestore.Config{})
	if err != nil {
		return err
	}
	if err := store.Migrate(ctx); err != nil {
		return err
	}

	reg := outbox.NewRegistry()
	reg.Handle("OrderPlaced", func(ctx context.Context, e outbox.Event) error {
		fmt.Printf("order %s of %v\n", e.AggregateID, ctx.Value(tenantKey{}))
		return nil
	})
	r, err := relay.New(store, reg, relay.Config{
		Lane: relay.LaneConfig{Workers: 1},
		// Before runs in this order, After in reverse.
		Interceptors: []outbox.Interceptor{{After: outcome}, {Before: tenant}},
	})
	if err != nil {
		return err
	}
	w := outbox.NewWriter(store, r.HotPath())

	err = w.InTx(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := w.WriteAll(ctx, tx, []outbox.Event{
			{Type: "OrderPlaced", AggregateID: "4711", TenantID: "acme", JSON: []byte(`{}`)},
			{Type: "OrderPlaced", AggregateID: "4712", JSON: []byte(`{}`)},
		}...)
		return err
	})
	if err != nil {
		return err
	}
	_, err = r.RunOnce(ctx) // a service calls Run; one round is enough here
	return err
}

func Example() {
	scratch.Run(run)
	// Output:
	// order 4711 of acme
	// after 4711, attempt 1: <nil>
	// after 4712, attempt 1: the event names no tenant
}
