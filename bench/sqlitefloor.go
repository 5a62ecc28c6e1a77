package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// sqliteFloor is the store's own statements, prepared, on the one connection
// that writes.
type sqliteFloor struct {
	begin, order, insert, commit *sql.Stmt
	claim, done                  *sql.Stmt
	owner                        string
}

func newSQLiteFloor(ctx context.Context, db *sql.DB) (f *sqliteFloor, closeFloor func(), err error) {
	queries, err := sqliteQueries()
	if err != nil {
		return nil, nil, err
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, nil, err
	}
	var all []*sql.Stmt
	prepare := func(text string) *sql.Stmt {
		statement, prepareErr := conn.PrepareContext(ctx, text)
		err = errors.Join(err, prepareErr)
		all = append(all, statement)
		return statement
	}
	f = &sqliteFloor{
		begin: prepare("BEGIN IMMEDIATE"), order: prepare(insertSQLiteOrder), insert: prepare(queries.Insert.SQL), commit: prepare("COMMIT"),
		claim: prepare(queries.Claim.SQL), done: prepare(queries.Done.SQL),
		owner: string(driver.NewOwner("floor")),
	}
	if err != nil {
		return nil, nil, errors.Join(err, conn.Close())
	}
	return f, func() {
		for _, statement := range all {
			_ = statement.Close() // the file is removed next
		}
		_ = conn.Close()
	}, nil
}

// sqliteFloorDrain claims a batch, counts it, settles it, and again.
func sqliteFloorDrain(batch int) runFunc {
	return func(ctx context.Context, e *env) (sample, error) {
		n := e.events(drainEvents)
		db, remove, err := e.sqliteFile(ctx, n)
		if err != nil {
			return sample{}, err
		}
		defer remove()
		f, closeFloor, err := newSQLiteFloor(ctx, db)
		if err != nil {
			return sample{}, err
		}
		defer closeFloor()
		events := newLedger(n)
		before, start := ownCPU(), time.Now()
		for done := 0; done < n; {
			held, err := f.take(ctx, batch, events)
			if err != nil {
				return sample{}, err
			}
			if err := f.settle(ctx, held); err != nil {
				return sample{}, err
			}
			done += len(held)
		}
		s := drained(events, time.Since(start), &logCount{})
		s.Values[processCPU] = micros(ownCPU()-before) / float64(n)
		return s, nil
	}
}

// take claims a batch. All columns are read, since SQLite makes them anyway;
// only what the settle needs is kept.
func (f *sqliteFloor) take(ctx context.Context, batch int, events *ledger) ([][]any, error) {
	rows, err := f.claim.QueryContext(ctx, eventType, batch, 0, 0, 0, f.owner, lease)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	held := make([][]any, 0, batch)
	values, to := make([]sql.RawBytes, len(columns)), make([]any, len(columns))
	for i := range values {
		to[i] = &values[i]
	}
	var id string
	var seq, claimNo int64
	to[columnID], to[columnSeq], to[columnNumber] = &id, &seq, &claimNo
	for rows.Next() {
		if err := rows.Scan(to...); err != nil {
			return nil, err
		}
		events.got(number(values[columnPayload]))
		held = append(held, []any{id, seq, claimNo})
	}
	if len(held) == 0 {
		return nil, errors.Join(errors.New("the floor found no more rows"), rows.Err())
	}
	return held, rows.Err()
}

func (f *sqliteFloor) settle(ctx context.Context, held [][]any) error {
	text, err := json.Marshal(held)
	if err != nil {
		return err
	}
	rows, err := f.done.QueryContext(ctx, string(text), f.owner)
	if err != nil {
		return err
	}
	defer rows.Close()
	n := 0
	for rows.Next() {
		n++
	}
	if n != len(held) {
		return errors.Join(errors.New("the floor lost a claim"), rows.Err())
	}
	return rows.Err()
}

// sqliteFloorBusiness writes order and event in one transaction after the
// other, and settles whenever a batch of them is written: what a delivery from
// memory needs at least.
func sqliteFloorBusiness(batch int) runFunc {
	return func(ctx context.Context, e *env) (sample, error) {
		db, remove, err := e.sqliteFile(ctx, 0)
		if err != nil {
			return sample{}, err
		}
		defer remove()
		f, closeFloor, err := newSQLiteFloor(ctx, db)
		if err != nil {
			return sample{}, err
		}
		defer closeFloor()
		d, n := e.duration(sqliteBusinessTime), 0
		before, start := ownCPU(), time.Now()
		var held [][]any
		for ; time.Since(start) < d; n++ {
			row, err := f.place(ctx, n)
			if err != nil {
				return sample{}, err
			}
			if held = append(held, row); len(held) == batch {
				if err := f.settle(ctx, held); err != nil {
					return sample{}, err
				}
				held = held[:0]
			}
		}
		if err := f.settle(ctx, held); err != nil {
			return sample{}, err
		}
		return sample{Values: map[metric]float64{
			rate: perSecond(n, time.Since(start)), processCPU: micros(ownCPU()-before) / float64(n),
		}}, nil
	}
}

// place is one transaction of the business, and what settles its event.
func (f *sqliteFloor) place(ctx context.Context, n int) ([]any, error) {
	if _, err := f.begin.ExecContext(ctx); err != nil {
		return nil, err
	}
	if _, err := f.order.ExecContext(ctx, "customer", n); err != nil {
		return nil, err
	}
	var id string
	var seq, topLevel int64
	answer := f.insert.QueryRowContext(ctx, sqliteEvent(n, 5*time.Second)...)
	if err := answer.Scan(&id, &seq, &topLevel); err != nil {
		return nil, err
	}
	_, err := f.commit.ExecContext(ctx)
	return []any{id, seq, 0}, err
}
