package main

import (
	"context"
	"fmt"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/examples/internal/scratch"
)

func Example() {
	scratch.Run(func(ctx context.Context, path string) error {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		return run(ctx, path, func(_ context.Context, e outbox.Event) error {
			fmt.Println("delivered:", e.Type, string(e.JSON))
			stop() // the relay finishes what it has, and returns
			return nil
		})
	})
	// Output: delivered: OrderPlaced {"total":12}
}
