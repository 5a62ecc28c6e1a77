package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/sendoff-go/outbox/examples/shop/internal/billing"
	"github.com/sendoff-go/outbox/examples/shop/internal/orders"
	"github.com/sendoff-go/outbox/examples/shop/internal/place"
	"github.com/sendoff-go/outbox/examples/shop/internal/traffic"
)

// config is the command line.
type config struct {
	addr     string
	rate     float64
	orders   int
	time     time.Duration
	postgres string
	kafka    []string
	log      *slog.Logger
	every    time.Duration // between two summaries
	redraw   bool          // each over the one before
}

// drainTime is how long the last events may take, retries included.
const drainTime = 2 * time.Minute

// run lets everything run until the traffic ends, waits for the last events,
// and proves that nothing is missing and nothing is there twice.
func run(ctx context.Context, c config, out io.Writer) (err error) {
	databases, err := place.Open(ctx, c.postgres, "shop", "billing")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, place.Close(databases)) }()
	s, err := open(ctx, c, databases[0], databases[1])
	if err != nil {
		return err
	}
	s.describe(out)

	relaying, stop := context.WithCancel(context.WithoutCancel(ctx))
	relay := make(chan error, 1)
	go func() { relay <- s.orders.Run(relaying) }()
	live := s.figures.show(out, c.every, c.redraw)
	s.trade(ctx, c)
	err = s.drain(context.WithoutCancel(ctx))
	stop()
	err = errors.Join(err, <-relay, s.close())
	live()
	if err != nil {
		return err
	}
	return prove(context.WithoutCancel(ctx), out, s.shop, s.billing)
}

// system is everything that runs.
type system struct {
	shop, billing *place.Database
	transport     *transport
	orders        *orders.Service
	server        *server
	figures       *figures
}

func open(ctx context.Context, c config, shop, invoices *place.Database) (*system, error) {
	s := &system{shop: shop, billing: invoices, figures: &figures{}}
	b, err := billing.New(ctx, billing.Config{Database: invoices, Hooks: s.figures.hooks(), Logger: c.log, Trouble: &s.figures.trouble})
	if err != nil {
		return nil, err
	}
	if s.transport, err = openTransport(ctx, b, c.kafka, c.log); err != nil {
		return nil, err
	}
	s.orders, err = orders.New(ctx, orders.Config{
		Database: shop, Sink: s.transport.sink, Destination: s.transport.destination, Hooks: s.figures.hooks(), Logger: c.log,
	})
	if err == nil {
		s.server, err = serve(c.addr, s.orders.Handler())
	}
	if err != nil {
		return nil, errors.Join(err, s.transport.close())
	}
	return s, nil
}

func (s *system) describe(out io.Writer) {
	fmt.Fprintf(out, "shop     %s/orders, database %s\n", s.server.url, s.shop.Name)
	fmt.Fprintf(out, "billing  by %s, database %s\n", s.transport.name, s.billing.Name)
	fmt.Fprintf(out, "metrics  %s/metrics\n", s.server.url)
	fmt.Fprintf(out, "console  %s/console/\n", s.server.url)
	fmt.Fprintln(out, "Ctrl-C ends the traffic.")
}

// trade lets customers in.
func (s *system) trade(ctx context.Context, c config) {
	if c.time > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, c.time)
		defer stop()
	}
	traffic.Run(ctx, traffic.Config{Shop: s.server.url, Rate: c.rate, Orders: c.orders}, &s.figures.traffic)
	s.figures.draining.Store(true)
}

// drain waits until the outbox is empty, and billing has had what was sent.
func (s *system) drain(ctx context.Context) error {
	look := time.NewTicker(50 * time.Millisecond)
	defer look.Stop()
	for limit := time.Now().Add(drainTime); ; <-look.C {
		open, err := s.shop.Count(ctx, `SELECT count(*) FROM outbox_event WHERE status IN (0, 2)`)
		if err != nil {
			return err
		}
		missing, err := s.missing(ctx)
		if err != nil {
			return err
		}
		if open == 0 && missing <= 0 || time.Now().After(limit) {
			return nil // and let the proof say what is missing
		}
	}
}

// missing returns how many documents billing has yet to write.
func (s *system) missing(ctx context.Context) (int, error) {
	due, err := s.shop.Count(ctx, `SELECT count(*) + count(CASE WHEN status = 'cancelled' THEN 1 END) FROM orders`)
	if err != nil {
		return 0, err
	}
	there, err := s.billing.Count(ctx, `SELECT (SELECT count(*) FROM invoices) + (SELECT count(*) FROM credit_notes)`)
	return due - there, err
}

func (s *system) close() error { return errors.Join(s.server.close(), s.transport.close()) }
