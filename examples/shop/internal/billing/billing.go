package billing

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/examples/shop/internal/events"
	"github.com/sendoff-go/outbox/examples/shop/internal/place"
	"github.com/sendoff-go/outbox/inbox"
	"github.com/sendoff-go/outbox/observe"
)

// Config is what billing needs. Every field except Hooks is required.
type Config struct {
	Database *place.Database
	Trouble  *Trouble
	Hooks    observe.Hooks
	Logger   *slog.Logger
}

// Billing consumes the shop's events. It is safe for concurrent use.
type Billing struct {
	inbox   *inbox.Consumer[*sql.Tx]
	trouble *Trouble
}

// New makes billing and its tables. Nothing in the tables keeps an order from having
// two invoices: that is up to the inbox.
func New(ctx context.Context, c Config) (*Billing, error) {
	if err := c.Database.Store.Migrate(ctx); err != nil {
		return nil, err
	}
	for _, table := range []string{
		`CREATE TABLE IF NOT EXISTS invoices (id TEXT PRIMARY KEY, order_id TEXT NOT NULL, cents BIGINT NOT NULL)`,
		`CREATE TABLE IF NOT EXISTS credit_notes (id TEXT PRIMARY KEY, order_id TEXT NOT NULL, cents BIGINT NOT NULL)`,
	} {
		if _, err := c.Database.ExecContext(ctx, table); err != nil {
			return nil, err
		}
	}
	consumer, err := inbox.New(c.Database.Store, inbox.Config{Group: "billing", Hooks: c.Hooks, Logger: c.Logger})
	return &Billing{inbox: consumer, trouble: c.Trouble}, err
}

// Consume gives an event its effect, once. After an error the event must be
// delivered again.
func (b *Billing) Consume(ctx context.Context, m outbox.Received) error {
	trouble := b.trouble.next()
	if trouble == ErrAway {
		return ErrAway
	}
	err := b.inbox.Consume(ctx, m, func(ctx context.Context, tx *sql.Tx) error {
		if err := bill(ctx, tx, m); err != nil {
			return err
		}
		if trouble == errRollback {
			return errRollback
		}
		return nil
	})
	if err == nil && trouble == errLostAnswer {
		return errLostAnswer
	}
	return err
}

func bill(ctx context.Context, tx *sql.Tx, m outbox.Received) error {
	var definition outbox.Definition[events.Order]
	var statement string
	switch m.EventType {
	case events.OrderPlaced.Type():
		definition, statement = events.OrderPlaced, `INSERT INTO invoices (id, order_id, cents) VALUES ($1, $2, $3)`
	case events.OrderCancelled.Type():
		definition, statement = events.OrderCancelled, `INSERT INTO credit_notes (id, order_id, cents) VALUES ($1, $2, $3)`
	default:
		return fmt.Errorf("billing does not know the event type %q", m.EventType)
	}
	o, err := definition.DecodeReceived(m)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, statement, outbox.NewID(), o.ID, o.Cents)
	return err
}
