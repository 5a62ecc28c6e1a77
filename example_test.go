package outbox_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/memstore"
)

// An event and the change that it tells about are committed together.
func Example() {
	ctx := context.Background()
	store := memstore.New(memstore.Config{})
	w := outbox.NewWriter(store)

	place := func(order, json string, inStock bool) error {
		tx, err := store.BeginTx(ctx) // as *sql.DB has it
		if err != nil {
			return err
		}
		defer tx.Rollback()
		if err := tx.Put("order:"+order, "placed"); err != nil {
			return err
		}
		if _, err := w.Write(ctx, tx, outbox.Event{
			Type: "OrderPlaced", AggregateType: "Order", AggregateID: order, JSON: []byte(json),
		}); err != nil {
			return err
		}
		if !inStock {
			return errors.New("out of stock") // rolls back: there is no such event
		}
		return tx.Commit()
	}
	fmt.Println("committed:", place("1", `{"total":12}`, true) == nil)
	fmt.Println("rolled back:", place("2", `{"total":99}`, false))

	claimed, _ := store.Claim(ctx, driver.ClaimRequest{
		Owner: "relay", Lease: time.Minute, Wants: []driver.Want{{Lane: "OrderPlaced", Rows: 10}},
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
	_ = driver.DestinationOf(reg.Lookup("Order", "OrderPlaced")).DeliverOne(context.Background(), event) // as a relay does
	// Output:
	// OrderPlaced 4711 {"id":"4711","total":12}
	// total: 12
}

// At a consumer the same definition reads what a broker brought; the packages of
// the sinks make a Received of a message of theirs.
func ExampleDefinition_DecodeReceived() {
	type Order struct {
		ID    string `json:"id"`
		Total int    `json:"total"`
	}
	OrderPlaced := outbox.Define[Order]("Order", "OrderPlaced")

	receive := func(m outbox.Received) error {
		if m.EventType != OrderPlaced.Type() {
			return nil // another consumer's
		}
		order, err := OrderPlaced.DecodeReceived(m)
		if err != nil {
			return err
		}
		fmt.Printf("order %s: %d\n", order.ID, order.Total)
		return nil
	}
	_ = receive(outbox.Received{EventID: "1", EventType: "OrderPlaced", Payload: []byte(`{"id":"4711","total":12}`)})
	// Output: order 4711: 12
}

// By itself RetryAfter is "not yet" and costs no attempt; joined with an error
// it is the time of that error's retry.
func ExampleRetryAfter() {
	notYet := outbox.RetryAfter(time.Minute)
	failed := errors.Join(errors.New("503 from the warehouse"), outbox.RetryAfter(time.Minute))
	for _, err := range []error{notYet, failed} {
		delay, counted, _ := driver.RetryDelay(err)
		fmt.Println(delay, counted)
	}
	// Output:
	// 1m0s false
	// 1m0s true
}

// A transaction that the caller begins and ends is watched with Track.
func ExampleWriter_Track() {
	store := memstore.New(memstore.Config{})
	w := outbox.NewWriter(store)

	place := func(ctx context.Context) error {
		ctx, done := w.Track(ctx)
		defer done(outbox.ErrRolledBack) // on every way out but the last
		tx, err := store.BeginTx(ctx)
		if err != nil {
			return err
		}
		if _, err := w.Write(ctx, tx, outbox.Event{Type: "OrderPlaced", JSON: []byte(`{}`)}); err != nil {
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

// A listener with a state is registered by its method.
func ExampleRegistry_Handle() {
	m := &mailer{}
	reg := outbox.NewRegistry()
	reg.Handle("OrderPlaced", m.Handle)
	reg.HandleBatch("OrderShipped", m.HandleBatch)

	ctx := context.Background() // what follows is the relay's work
	placed, shipped := reg.Lookup("Order", "OrderPlaced"), reg.Lookup("Order", "OrderShipped")
	fmt.Println(driver.DestinationOf(placed).Deliver(ctx, []outbox.Event{{Type: "OrderPlaced"}}))
	fmt.Println(driver.DestinationOf(shipped).Deliver(ctx, []outbox.Event{{Type: "OrderShipped"}, {Type: "OrderShipped"}}))
	// Output:
	// mail about OrderPlaced
	// [<nil>]
	// mail about 2 events
	// [<nil> <nil>]
}
