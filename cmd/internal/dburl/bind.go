package dburl

import (
	"context"
	"database/sql"
	"strconv"
	"strings"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/inbox"
)

// writerOf hides the type of a store's transactions.
func writerOf[T any](store outbox.TxStore[T], exec func(ctx context.Context, tx T, query string, args []any) error) newWriter {
	return func(committed func([]outbox.Event), opts []outbox.WriterOption) Writer {
		to := store
		if committed != nil {
			to = &noting[T]{TxStore: store, committed: committed, written: map[any][]outbox.Event{}}
		}
		return anyWriter[T]{outbox.NewWriter(to, opts...), exec}
	}
}

type newWriter func(committed func([]outbox.Event), opts []outbox.WriterOption) Writer

// consumerOf hides the type of a ledger's transactions.
func consumerOf[T any](ledger driver.Ledger[T], exec func(ctx context.Context, tx T, query string, args []any) error) newConsumer {
	return func(c inbox.Config) (Consumer, error) {
		made, err := inbox.New(ledger, c)
		if err != nil {
			return nil, err
		}
		return anyConsumer[T]{made, exec}, nil
	}
}

type newConsumer func(c inbox.Config) (Consumer, error)

type anyConsumer[T any] struct {
	*inbox.Consumer[T]
	exec func(ctx context.Context, tx T, query string, args []any) error
}

func (c anyConsumer[T]) Consume(ctx context.Context, m outbox.Received, handle func(ctx context.Context, exec Exec) error) error {
	return c.Consumer.Consume(ctx, m, func(ctx context.Context, tx T) error {
		return handle(ctx, func(ctx context.Context, query string, args ...any) error { return c.exec(ctx, tx, query, args) })
	})
}

type anyWriter[T any] struct {
	*outbox.Writer[T]
	exec func(ctx context.Context, tx T, query string, args []any) error
}

func (w anyWriter[T]) InTx(ctx context.Context, fn func(ctx context.Context, tx Tx) error) error {
	return w.Writer.InTx(ctx, func(ctx context.Context, tx T) error { return fn(ctx, anyTx[T]{w, tx}) })
}

type anyTx[T any] struct {
	writer anyWriter[T]
	tx     T
}

func (t anyTx[T]) Exec(ctx context.Context, query string, args ...any) error {
	return t.writer.exec(ctx, t.tx, query, args)
}

func (t anyTx[T]) Write(ctx context.Context, es ...outbox.Event) error {
	_, err := t.writer.WriteAll(ctx, t.tx, es...)
	return err
}

// numbered turns ? into $1, $2 for PostgreSQL. The queries of commands have no
// other question marks.
func numbered(query string) string {
	var out strings.Builder
	n := 0
	for _, r := range query {
		if r != '?' {
			out.WriteRune(r)
			continue
		}
		n++
		out.WriteString("$" + strconv.Itoa(n))
	}
	return out.String()
}

func asIs(query string) string { return query }

// poolOf is the pool of a driver for database/sql, whose parameters are
// rewritten by params.
func poolOf(db *sql.DB, params func(string) string) pool {
	return pool{
		exec: func(ctx context.Context, query string, args ...any) error {
			_, err := db.ExecContext(ctx, params(query), args...)
			return err
		},
		text: func(ctx context.Context, query string, args ...any) (text string, err error) {
			return text, db.QueryRowContext(ctx, params(query), args...).Scan(&text)
		},
		rows:  sqlRows(db, params),
		ping:  db.PingContext,
		close: db.Close,
	}
}

// execTx is the Exec of a transaction of database/sql.
func execTx(params func(string) string) func(ctx context.Context, tx *sql.Tx, query string, args []any) error {
	return func(ctx context.Context, tx *sql.Tx, query string, args []any) error {
		_, err := tx.ExecContext(ctx, params(query), args...)
		return err
	}
}
