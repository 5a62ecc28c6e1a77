package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"strings"

	"github.com/sendoff-go/outbox"
)

// broker is a message broker, as one run uses it.
type broker interface {
	// create makes an empty destination that is ready.
	create(ctx context.Context, to string) error
	// sink is ours, without any setting.
	sink(log *slog.Logger) (closingSink, error)
	// sender is the bare client with the settings of the sink. It converts the
	// messages for the client before the clock runs.
	sender(ms []outbox.Message) sender
	// read hands over every payload that is at the destination.
	read(ctx context.Context, to string, got func(payload []byte)) error
	remove(ctx context.Context, to string) error
	close()
}

type closingSink interface {
	outbox.Sink
	Close() error
}

// sender sends messages that it was given before.
type sender interface {
	connect(ctx context.Context, hands int) error
	// send returns when the broker has acknowledged the messages from one
	// number up to, and without, another. Each hand is one goroutine.
	send(ctx context.Context, hand, from, to int) error
	close()
}

// brokerKind is one broker, or one way of using it.
type brokerKind struct {
	variable string // of the environment, with its URL
	open     func(ctx context.Context, url string) (broker, error)
}

// use opens the broker with a fresh destination, and leaves nothing behind.
func (k brokerKind) use(ctx context.Context, do func(b broker, to string) error) error {
	url := os.Getenv(k.variable)
	if url == "" {
		return fmt.Errorf("no server: set %s, or run make bench", k.variable)
	}
	b, err := k.open(ctx, url)
	if err != nil {
		return err
	}
	defer b.close()
	to := "outbox-bench-" + strings.ToLower(outbox.NewID())
	if err := b.create(ctx, to); err != nil {
		return fmt.Errorf("create %s: %w", to, err)
	}
	defer func() {
		if err := b.remove(context.WithoutCancel(ctx), to); err != nil {
			fmt.Fprintf(os.Stderr, "bench: %s is left behind: %v\n", to, err)
		}
	}()
	return do(b, to)
}

// audit reads back what arrived, after the clock was stopped.
func audit(ctx context.Context, b broker, to string, n int) (*ledger, error) {
	events := newLedger(n)
	if err := b.read(ctx, to, func(payload []byte) { events.got(number(payload)) }); err != nil {
		return nil, fmt.Errorf("reading back: %w", err)
	}
	return events, nil
}
