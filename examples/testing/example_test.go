package testing_test

import (
	"context"
	"fmt"

	"github.com/sendoff-go/outbox"
	shop "github.com/sendoff-go/outbox/examples/testing"
	"github.com/sendoff-go/outbox/outboxtest"
)

// In a test the recorder uses the testing.T to fail it: see the tests next to
// this file. An example, or any other program, uses the lists.
func Example() {
	ctx := context.Background()
	s, store, rec := newShop()
	fmt.Println(s.Place(ctx, shop.Order{ID: "4711", Total: 12}))
	fmt.Println(s.Place(ctx, shop.Order{ID: "4712"}))
	fmt.Println("committed:", len(rec.Committed()), "rolled back:", len(rec.RolledBack()))

	reg := outbox.NewRegistry()
	shop.Listen(reg, func(_ context.Context, o shop.Order) error {
		fmt.Println("mail about order", o.ID)
		return nil
	})
	results, err := outboxtest.Deliver(ctx, store, reg)
	fmt.Println("delivered:", len(results), err)
	// Output:
	// <nil>
	// the order is empty
	// committed: 1 rolled back: 1
	// mail about order 4711
	// delivered: 1 <nil>
}
