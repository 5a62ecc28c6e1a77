package dburl

import (
	"context"
	"strings"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/inbox"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

// Handle is an open database. It is safe for concurrent use.
type Handle struct {
	// Store has the calls of relays and of operators.
	Store Store
	// Schema makes and changes the tables.
	Schema Migrator
	// Waker makes a source of wake-ups of other processes, which listens at a URL
	// of its own unless that is ""; nil: the database has none.
	Waker func(listen string) (driver.Waker, error)

	driver   Driver
	detected *sqlstore.Dialect // nil: that of the driver
	tables   sqlstore.Tables   // as they were asked for
	writer   newWriter
	consumer newConsumer
	pool
	version string                      // a statement that asks for the server's version
	name    func(version string) string // default: the dialect's
}

// Store is what every SQL store can do beside the writer's half.
type Store interface {
	driver.Store
	driver.StatsStore
	driver.DeadLetterStore
	driver.ControlStore
	driver.InstanceStore
	driver.AuditStore
	driver.GroupStore
	driver.EventStore
	driver.AlertStore
	driver.JobStore
	driver.ReplayStore
	driver.EraseStore
	driver.ConsumerStore
	driver.FairStore
}

// Migrator is what every SQL store can do with its tables.
type Migrator interface {
	Migrate(ctx context.Context) error
	Adoption(ctx context.Context) (*sqlstore.Adoption, error)
	MigrateDown(ctx context.Context, steps int) error
	MigrateDownLosses(ctx context.Context, steps int) ([]sqlstore.Loss, error)
	MigrationStatus(ctx context.Context) ([]sqlstore.MigrationState, error)
}

// Writer runs business transactions.
type Writer interface {
	// InTx is [outbox.Writer.InTx] for any database.
	InTx(ctx context.Context, fn func(ctx context.Context, tx Tx) error) error
}

// Tx is an open business transaction.
type Tx interface {
	// Exec changes business rows. Parameters are written as ? everywhere.
	Exec(ctx context.Context, query string, args ...any) error
	// Write stores events in the same transaction.
	Write(ctx context.Context, es ...outbox.Event) error
}

// Consumer gives each event its effect once for its group.
type Consumer interface {
	// Consume is [inbox.Consumer.Consume] for any database.
	Consume(ctx context.Context, m outbox.Received, handle func(ctx context.Context, exec Exec) error) error
}

// Exec changes rows in an open transaction. Parameters are written as ? everywhere.
type Exec func(ctx context.Context, query string, args ...any) error

// pool is what a handle needs of a driver's pool, outside transactions.
type pool struct {
	exec  func(ctx context.Context, query string, args ...any) error
	text  func(ctx context.Context, query string, args ...any) (string, error)
	rows  func(ctx context.Context, query string, args ...any) ([]Row, error)
	ping  func(ctx context.Context) error
	close func() error
}

// Writer makes a writer.
func (h *Handle) Writer(opts ...outbox.WriterOption) Writer { return h.writer(nil, opts) }

// NotingWriter makes a writer that tells what its InTx committed the moment the
// answer is there, before a relay hears of it.
func (h *Handle) NotingWriter(committed func([]outbox.Event), opts ...outbox.WriterOption) Writer {
	return h.writer(committed, opts)
}

// Consumer makes a consumer whose effects are in this database.
func (h *Handle) Consumer(c inbox.Config) (Consumer, error) { return h.consumer(c) }

// Exec runs one statement. Parameters are written as ? everywhere.
func (h *Handle) Exec(ctx context.Context, query string, args ...any) error {
	return h.exec(ctx, query, args...)
}

// Text runs a query that answers with one value and returns it as text.
// Parameters are written as ? everywhere.
func (h *Handle) Text(ctx context.Context, query string, args ...any) (string, error) {
	return h.text(ctx, query, args...)
}

// Name is the database and its version, for people.
func (h *Handle) Name(ctx context.Context) string {
	name := h.driver.Dialect().Name
	version, err := h.text(ctx, h.version)
	if err != nil {
		return name
	}
	if h.name != nil {
		name = h.name(version)
	}
	if _, own, found := strings.Cut(version, "-TiDB-v"); found {
		version = own // before it stands the MySQL that it is compatible with
	}
	// What follows is the packager's: 15.18 (Debian ...), 10.11.6-MariaDB-...
	version, _, _ = strings.Cut(version, " ")
	version, _, _ = strings.Cut(version, "-")
	return name + " " + version
}

// Driver is the name of the driver that opened the database.
func (h *Handle) Driver() string { return h.driver.Name }

// Close closes the pool. Relays on the store must have ended.
func (h *Handle) Close() error { return h.close() }
