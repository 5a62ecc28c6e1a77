package main

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	peer "github.com/oagudo/outbox"
)

// oagudoTable is the schema of its README.
var oagudoTable = []string{
	`CREATE TABLE IF NOT EXISTS outbox (
		id UUID PRIMARY KEY,
		created_at TIMESTAMP WITH TIME ZONE NOT NULL,
		scheduled_at TIMESTAMP WITH TIME ZONE NOT NULL,
		metadata BYTEA,
		payload BYTEA NOT NULL,
		times_attempted INTEGER NOT NULL)`,
	`CREATE INDEX IF NOT EXISTS idx_outbox_created_at ON outbox (created_at)`,
	`CREATE INDEX IF NOT EXISTS idx_outbox_scheduled_at ON outbox (scheduled_at)`,
	`TRUNCATE outbox`,
}

// drainOagudo measures the reader: a single one, without claims, which reads,
// publishes and deletes in turn. By default it reads 100 messages every 10 s;
// here it ticks every millisecond, so that it never waits while there is work,
// and reads and deletes larger batches.
func drainOagudo(batch int) runFunc {
	return func(ctx context.Context, e *env) (sample, error) { return e.drainOagudo(ctx, batch) }
}

func (e *env) drainOagudo(ctx context.Context, batch int) (sample, error) {
	n := e.events(drainEvents)
	if err := e.freshOagudo(ctx, n); err != nil {
		return sample{}, err
	}
	db, err := openUTC(e.url)
	if err != nil {
		return sample{}, err
	}
	defer func() { _ = db.Close() }()
	events, line := newLedger(n), newFinishLine(n)
	reader := peer.NewReader(
		peer.NewDBContextWithDB(&oagudoDB{db: db, deleted: line.add}, peer.SQLDialectPostgres),
		oagudoPublisher(events.got),
		peer.WithInterval(time.Millisecond),
		peer.WithReadBatchSize(batch), peer.WithDeleteBatchSize(batch))
	before, start := e.cpu.now(), time.Now()
	reader.Start()
	waitErr := line.wait(ctx)
	if err := reader.Stop(ctx); err != nil {
		return sample{}, err
	}
	if waitErr != nil {
		return sample{}, waitErr
	}
	s := drained(events, line.since(start), &logCount{})
	e.cpu.since(before, &s, n)
	s.Note = readerErrors(reader)
	return s, nil
}

// freshOagudo recreates its table and puts n messages into it.
func (e *env) freshOagudo(ctx context.Context, n int) error {
	if err := e.exec(ctx, oagudoTable...); err != nil {
		return err
	}
	columns := []string{"id", "created_at", "scheduled_at", "payload", "times_attempted"}
	i := 0
	rows := pgx.CopyFromFunc(func() ([]any, error) {
		if i == n {
			return nil, nil
		}
		i++
		m := peer.NewMessage([]byte(payload(i - 1)))
		return []any{m.ID, m.CreatedAt, m.ScheduledAt, m.Payload, m.TimesAttempted}, nil
	})
	if _, err := e.admin.CopyFrom(ctx, pgx.Identifier{"outbox"}, columns, rows); err != nil {
		return err
	}
	return e.rest(ctx, "outbox")
}

// openUTC opens a pool in whose sessions local time is UTC, which its queries
// rely on.
func openUTC(url string) (*sql.DB, error) {
	separator := "?"
	if strings.Contains(url, "?") {
		separator = "&"
	}
	db, err := sql.Open("pgx", url+separator+"TimeZone=UTC")
	if err != nil {
		return nil, err
	}
	keepConnections(db)
	return db, nil
}

// oagudoPublisher is the null listener.
type oagudoPublisher func(n int)

// Publish implements [peer.MessagePublisher].
func (p oagudoPublisher) Publish(_ context.Context, m *peer.Message) error {
	p(number(m.Payload))
	return nil
}

// readerErrors is the first error that a stopped reader reported, other than
// that it was stopped.
func readerErrors(r *peer.Reader) string {
	for err := range r.Errors() {
		if !errors.Is(err, context.Canceled) {
			return err.Error()
		}
	}
	return ""
}

// oagudoDB is the pool, with a view of what is deleted and when transactions
// are committed.
type oagudoDB struct {
	db        *sql.DB
	deleted   func(rows int)
	committed func(ctx context.Context)
}

// BeginTx implements [peer.DB].
func (d *oagudoDB) BeginTx(ctx context.Context, opts *sql.TxOptions) (peer.Tx, error) {
	tx, err := d.db.BeginTx(ctx, opts)
	if err != nil {
		return nil, err
	}
	return &oagudoTx{Tx: tx, committed: func() { d.committed(ctx) }}, nil
}

// ExecContext implements [peer.DB].
func (d *oagudoDB) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	result, err := d.db.ExecContext(ctx, query, args...)
	if err == nil && d.deleted != nil && strings.HasPrefix(query, "DELETE") {
		rows, _ := result.RowsAffected() // pgx always knows
		d.deleted(int(rows))
	}
	return result, err
}

// QueryContext implements [peer.DB].
func (d *oagudoDB) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return d.db.QueryContext(ctx, query, args...)
}

type oagudoTx struct {
	*sql.Tx
	committed func()
}

// Commit implements [peer.Tx].
func (t *oagudoTx) Commit() error {
	err := t.Tx.Commit()
	if err == nil {
		t.committed()
	}
	return err
}
