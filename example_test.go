package outbox_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/store/memstore"
)

// An event and the change that it tells about are committed together.
func Example() {
	ctx := context.Background()
	store := memstore.New(memstore.Config{})
	w := outbox.NewWriter(store, nil)

	err := w.InTx(ctx, func(ctx context.Context, tx *memstore.Tx) error {
		if err := tx.Put("order:1", "placed"); err != nil {
			return err
		}
		_, err := w.Write(ctx, tx, outbox.Event{
			Type: "OrderPlaced", AggregateType: "Order", AggregateID: "1", JSON: []byte(`{"total":12}`),
		})
		return err
	})
	fmt.Println("committed:", err == nil)

	err = w.InTx(ctx, func(ctx context.Context, tx *memstore.Tx) error {
		if _, err := w.Write(ctx, tx, outbox.NewJSON("OrderPlaced", `{"total":99}`)); err != nil {
			return err
		}
		return errors.New("out of stock") // rolls back: there is no such event
	})
	fmt.Println("rolled back:", err)

	claimed, _ := store.Claim(ctx, outbox.ClaimRequest{
		Owner: "relay", Lease: time.Minute, Wants: []outbox.Want{{Lane: "OrderPlaced", Rows: 10}},
	})
	for _, c := range claimed {
		fmt.Printf("%s of %s %s: %s\n", c.Event.Type, c.Event.AggregateType, c.Event.AggregateID, c.Event.JSON)
	}
	// Output:
	// committed: true
	// rolled back: out of stock
	// OrderPlaced of Order 1: {"total":12}
}

// One definition serves both ends, and the compiler checks the payload.
func ExampleDefinition() {
	type Order struct {
		ID    string `json:"id"`
		Total int    `json:"total"`
	}
	OrderPlaced := outbox.Define[Order]("Order", "OrderPlaced")

	event := OrderPlaced.New("4711", Order{ID: "4711", Total: 12})
	fmt.Println(event.Type, event.AggregateID, string(event.JSON))

	reg := outbox.NewRegistry()
	OrderPlaced.Handle(reg, func(ctx context.Context, e outbox.Event, o Order) error {
		fmt.Println("total:", o.Total)
		return nil
	})
	_ = reg.Lookup("Order", "OrderPlaced").DeliverOne(context.Background(), event)
	// Output:
	// OrderPlaced 4711 {"id":"4711","total":12}
	// total: 12
}

// By itself RetryAfter is "not yet" and costs no attempt; joined with an error
// it is the time of that error's retry.
func ExampleRetryAfter() {
	notYet := outbox.RetryAfter(time.Minute)
	failed := errors.Join(errors.New("503 from the warehouse"), outbox.RetryAfter(time.Minute))
	for _, err := range []error{notYet, failed} {
		delay, counted, _ := outbox.RetryDelay(err)
		fmt.Println(delay, counted)
	}
	// Output:
	// 1m0s false
	// 1m0s true
}

// A transaction that the caller begins and ends is watched with Track.
func ExampleWriter_Track() {
	store := memstore.New(memstore.Config{})
	w := outbox.NewWriter(store, nil)

	place := func(ctx context.Context) error {
		ctx, done := w.Track(ctx)
		tx, err := store.BeginTx(ctx)
		if err != nil {
			return err
		}
		if _, err := w.Write(ctx, tx, outbox.NewJSON("OrderPlaced", `{}`)); err != nil {
			return errors.Join(err, tx.Rollback())
		}
		return done(tx.Commit())
	}
	fmt.Println(place(context.Background()))
	// Output: <nil>
}

// mailer is a listener that has a state.
type mailer struct{ sent int }

func (m *mailer) Handle(_ context.Context, e outbox.Event) error {
	m.sent++
	fmt.Println("mail about", e.Type)
	return nil
}

func (m *mailer) HandleBatch(_ context.Context, es []outbox.Event) []error {
	m.sent += len(es)
	fmt.Println("mail about", len(es), "events")
	return nil
}

// A value that is a listener is registered by its method.
func ExampleRegistry_Handle() {
	var one outbox.Listener = &mailer{}
	var many outbox.BatchListener = &mailer{}
	reg := outbox.NewRegistry()
	reg.Handle("OrderPlaced", one.Handle)
	reg.HandleBatch("OrderShipped", many.HandleBatch)

	ctx := context.Background()
	fmt.Println(reg.Lookup("Order", "OrderPlaced").Deliver(ctx, []outbox.Event{{Type: "OrderPlaced"}}))
	fmt.Println(reg.Lookup("Order", "OrderShipped").Deliver(ctx, []outbox.Event{{Type: "OrderShipped"}, {Type: "OrderShipped"}}))
	// Output:
	// mail about OrderPlaced
	// [<nil>]
	// mail about 2 events
	// [<nil> <nil>]
}

// Publishing runs a function in a transaction and writes what it returns.
func ExamplePublishing() {
	type Order struct {
		ID string `json:"id"`
	}
	OrderPlaced := outbox.Define("Order", "OrderPlaced", outbox.IDOf(func(o Order) string { return o.ID }))
	store := memstore.New(memstore.Config{})
	w := outbox.NewWriter(store, nil)

	place := outbox.Publishing(w, OrderPlaced, func(ctx context.Context, tx *memstore.Tx) (Order, error) {
		return Order{ID: "4711"}, tx.Put("order:4711", "placed")
	})
	order, err := place(context.Background())
	fmt.Println(order.ID, err)
	// Output: 4711 <nil>
}
