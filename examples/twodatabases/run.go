package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/relay"
)

// run places orders and waits until each is answered, or ctx is done.
func run(ctx context.Context, out io.Writer, shopAddress, warehouseAddress string, orders int) error {
	out = &serial{to: out}
	s, err := openShop(ctx, out, shopAddress)
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }()
	w, err := openWarehouse(ctx, out, warehouseAddress)
	if err != nil {
		return err
	}
	defer func() { _ = w.Close() }()

	// A relay reads the database of its store; its listeners may write elsewhere.
	answers := outbox.NewRegistry()
	OrderAnswered.Handle(answers, s.answered)
	fromWarehouse, err := relay.New(w.store, answers, relay.Config{Name: "warehouse"})
	if err != nil {
		return err
	}
	placed := outbox.NewRegistry()
	OrderPlaced.Handle(placed, w.ordered)
	fromShop, err := relay.New(s.store, placed, relay.Config{Name: "shop"})
	if err != nil {
		return err
	}
	w.writer = outbox.NewWriter(w.store, fromWarehouse.HotPath())
	s.writer = outbox.NewWriter(s.store, fromShop.HotPath())

	relays, stop := context.WithCancel(ctx)
	ended := make(chan error, 2)
	for _, r := range []*relay.Relay{fromShop, fromWarehouse} {
		go func() { ended <- r.Run(relays) }()
	}
	err = trade(ctx, s, orders)
	stop()
	err = errors.Join(err, <-ended, <-ended)
	return errors.Join(err, compare(context.WithoutCancel(ctx), s, w))
}

// trade returns early, and without an error, if ctx is done.
func trade(ctx context.Context, s *shop, orders int) error {
	for range orders {
		if err := s.place(ctx, "lamp"); err != nil {
			return ignoreEnd(ctx, err)
		}
	}
	look := time.NewTicker(50 * time.Millisecond)
	defer look.Stop()
	for {
		open, err := s.count(ctx, `SELECT count(*) FROM orders WHERE status = 'placed'`)
		if err != nil || open == 0 {
			return ignoreEnd(ctx, err)
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			return nil
		}
	}
}

func ignoreEnd(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// compare looks into both databases.
func compare(ctx context.Context, s *shop, w *warehouse) error {
	var n [5]int
	for i, of := range []struct {
		database
		query string
	}{
		{s.database, `SELECT count(*) FROM orders`},
		{s.database, `SELECT count(*) FROM orders WHERE status = 'reserved'`},
		{s.database, `SELECT count(*) FROM orders WHERE status = 'refused'`},
		{s.database, `SELECT count(*) FROM orders WHERE status = 'placed'`},
		{w.database, `SELECT count(*) FROM reservations`},
	} {
		var err error
		if n[i], err = of.count(ctx, of.query); err != nil {
			return err
		}
	}
	orders, reserved, refused, open, reservations := n[0], n[1], n[2], n[3], n[4]
	fmt.Fprintf(s.out, "The shop's database has %d orders: %d reserved, %d refused, %d not answered yet.\n", orders, reserved, refused, open)
	fmt.Fprintf(s.out, "The warehouse's database has %d reservations.\n", reservations)
	if reservations < reserved || reservations > reserved+open {
		return fmt.Errorf("%d orders are reserved, but there are %d reservations", reserved, reservations)
	}
	return nil
}

// serial is a writer for several goroutines.
type serial struct {
	mu sync.Mutex
	to io.Writer
}

func (s *serial) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.to.Write(b)
}
