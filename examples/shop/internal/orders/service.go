package orders

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/admin/console"
	"github.com/sendoff-go/outbox/examples/shop/internal/events"
	"github.com/sendoff-go/outbox/examples/shop/internal/place"
	"github.com/sendoff-go/outbox/observe"
	"github.com/sendoff-go/outbox/observe/prom"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/retry"
)

// Config is what a service needs. Every field is required.
type Config struct {
	Database *place.Database
	// Sink is where events go, and Destination names the place there.
	Sink        outbox.Sink
	Destination string
	Hooks       observe.Hooks
	Logger      *slog.Logger
}

// Service is the shop. It is safe for concurrent use.
type Service struct {
	db      *place.Database
	writer  *outbox.Writer[*sql.Tx]
	relay   *relay.Relay
	console *console.Console
	metrics *prometheus.Registry
}

// New makes a service and its tables.
func New(ctx context.Context, c Config) (*Service, error) {
	if err := c.Database.Store.Migrate(ctx); err != nil {
		return nil, err
	}
	_, err := c.Database.ExecContext(ctx,
		`CREATE TABLE orders (id TEXT PRIMARY KEY, customer TEXT NOT NULL, cents BIGINT NOT NULL, status TEXT NOT NULL)`)
	if err != nil {
		return nil, err
	}
	reg := outbox.NewRegistry()
	reg.Route(events.OrderPlaced.Type(), c.Sink, outbox.To(c.Destination))
	reg.Route(events.OrderCancelled.Type(), c.Sink, outbox.To(c.Destination))

	store := c.Database.Store
	metrics := prom.New(prom.Config{Types: reg.Types(), Store: store})
	s := &Service{db: c.Database, metrics: prometheus.NewRegistry()}
	if err := s.metrics.Register(metrics); err != nil {
		return nil, err
	}
	s.relay, err = relay.New(store, reg, relay.Config{
		Name: "shop",
		// Retries that a person can watch. The default waits up to an hour.
		Lane:   relay.LaneConfig{Retry: retry.Exponential{Max: time.Second}, Interval: time.Second},
		Hooks:  observe.Tee(metrics.Hooks(), c.Hooks),
		Logger: c.Logger,
	})
	if err != nil {
		return nil, err
	}
	s.writer = outbox.NewWriter(store, s.relay.HotPath(), outbox.WithWriteHooks(metrics.WriteHook()), outbox.WithLogger(c.Logger))
	// Whoever reaches the address may use the console: it is a demo, on the
	// loopback interface.
	s.console, err = console.New(console.Config{
		API:  admin.Config{Store: store, Auth: admin.Anyone(admin.Operator), Logger: c.Logger},
		Name: "shop", Database: c.Database.Name,
	})
	return s, err
}

// Run delivers events until ctx is done.
func (s *Service) Run(ctx context.Context) error {
	var all sync.WaitGroup
	defer all.Wait()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	all.Go(func() { s.console.Run(ctx) })
	return s.relay.Run(ctx)
}

// The reasons why an order is refused.
var (
	ErrDeclined = errors.New("the card was declined")
	ErrUnknown  = errors.New("there is no such order")
	ErrEnded    = errors.New("the order is already cancelled")
)

// limit is the most that a card can pay, in cents.
const limit = 100_000

// Place commits an order and its event, or neither.
func (s *Service) Place(ctx context.Context, o events.Order) error {
	return s.writer.InTx(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO orders (id, customer, cents, status) VALUES ($1, $2, $3, 'placed')`, o.ID, o.Customer, o.Cents)
		if err != nil {
			return err
		}
		if _, err := s.writer.Write(ctx, tx, events.OrderPlaced.New(o.ID, o)); err != nil {
			return err
		}
		if o.Cents > limit {
			return ErrDeclined // rolls both back
		}
		return nil
	})
}

// Cancel commits the end of an order and its event, or neither.
func (s *Service) Cancel(ctx context.Context, id string) error {
	return s.writer.InTx(ctx, func(ctx context.Context, tx *sql.Tx) error {
		o := events.Order{ID: id}
		err := tx.QueryRowContext(ctx, `UPDATE orders SET status = 'cancelled' WHERE id = $1 AND status = 'placed'
			RETURNING customer, cents`, id).Scan(&o.Customer, &o.Cents)
		if errors.Is(err, sql.ErrNoRows) {
			return s.whyNot(ctx, tx, id)
		}
		if err != nil {
			return err
		}
		_, err = s.writer.Write(ctx, tx, events.OrderCancelled.New(o.ID, o))
		return err
	})
}

// whyNot says why an order could not be cancelled.
func (s *Service) whyNot(ctx context.Context, tx *sql.Tx, id string) error {
	var n int
	if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM orders WHERE id = $1`, id).Scan(&n); err != nil {
		return err
	}
	if n == 0 {
		return ErrUnknown
	}
	return ErrEnded
}
