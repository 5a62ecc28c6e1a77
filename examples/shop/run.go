package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/sendoff-go/outbox/examples/shop/internal/orders"
	"github.com/sendoff-go/outbox/examples/shop/internal/place"
	"github.com/sendoff-go/outbox/examples/shop/internal/server"
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
	verbose  bool
	log      *slog.Logger
	every    time.Duration // between two summaries
	redraw   bool          // each over the one before
}

// drainTime is how long the last events may take, retries included.
const drainTime = 2 * time.Minute

// run lets everything run until the traffic ends, waits for the last events,
// and proves that nothing is missing and nothing is there twice. If billing dies,
// the shop goes on without it, and the proof says what is missing.
func run(ctx context.Context, c config, out io.Writer) (err error) {
	databases, err := place.Create(ctx, c.postgres, "shop", "billing")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, place.Remove(databases)) }()
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
	return errors.Join(err, prove(context.WithoutCancel(ctx), out, s.shop, s.invoices))
}

// system is everything that runs.
type system struct {
	shop, invoices *place.Database
	transport      *transport
	billing        *process
	orders         *orders.Service
	server         *server.Server
	figures        *figures
}

func open(ctx context.Context, c config, shop, invoices *place.Database) (_ *system, err error) {
	s := &system{shop: shop, invoices: invoices}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.close())
		}
	}()
	if s.transport, err = openTransport(ctx, c.kafka, c.log); err != nil {
		return nil, err
	}
	if s.billing, err = start(ctx, s.billingFlags(c)...); err != nil {
		return nil, err
	}
	if s.transport.destination == "" {
		s.transport.destination = s.billing.report.Load().Webhook
	}
	s.figures = &figures{billing: s.billing}
	s.orders, err = orders.New(ctx, orders.Config{
		Database: shop, Sink: s.transport.sink, Destination: s.transport.destination, Hooks: s.figures.hooks(), Logger: c.log,
	})
	if err != nil {
		return nil, err
	}
	s.server, err = server.Start(c.addr, s.orders.Handler())
	return s, err
}

// billingFlags has one delivery in five fail.
func (s *system) billingFlags(c config) []string {
	flags := append([]string{"-database", s.invoices.Address, "-rollback", "10", "-lose-answer", "10", "-away", "50"}, s.transport.flags...)
	if c.verbose {
		flags = append(flags, "-v")
	}
	return flags
}

func (s *system) describe(out io.Writer) {
	fmt.Fprintf(out, "shop     %s/orders, database %s\n", s.server.URL, s.shop.Name)
	fmt.Fprintf(out, "billing  process %d, by %s, database %s\n", s.billing.cmd.Process.Pid, s.transport.name, s.invoices.Name)
	fmt.Fprintf(out, "metrics  %s/metrics\n", s.server.URL)
	fmt.Fprintf(out, "console  %s/console/\n", s.server.URL)
	fmt.Fprintln(out, "Ctrl-C ends the traffic.")
}

// trade lets customers in.
func (s *system) trade(ctx context.Context, c config) {
	if c.time > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, c.time)
		defer stop()
	}
	traffic.Run(ctx, traffic.Config{Shop: s.server.URL, Rate: c.rate, Orders: c.orders}, &s.figures.traffic)
	s.figures.draining.Store(true)
}

// drain waits until the outbox is empty, and billing has had what was sent. For
// a billing that has died, it does not wait.
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
		if open == 0 && missing <= 0 || s.billing.died() != nil || time.Now().After(limit) {
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
	there, err := s.invoices.Count(ctx, `SELECT (SELECT count(*) FROM invoices) + (SELECT count(*) FROM credit_notes)`)
	return due - there, err
}

// close ends what was opened, the shop first.
func (s *system) close() (err error) {
	if s.server != nil {
		err = s.server.Close()
	}
	if s.billing != nil {
		err = errors.Join(err, s.billing.close())
	}
	if s.transport != nil {
		err = errors.Join(err, s.transport.close())
	}
	return err
}
