package pgxstore

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/sendoff-go/outbox"
)

// Insert implements [outbox.TxStore]. The first call checks the tables, in a
// way that leaves the transaction usable.
func (s *Store) Insert(ctx context.Context, tx pgx.Tx, req outbox.InsertRequest) ([]outbox.Inserted, error) {
	to, err := in(tx)
	if err != nil {
		return nil, err
	}
	plain, err := s.engine.Plain(ctx, to)
	if err != nil {
		return nil, err
	}
	sql, arguments := s.queries.Insert.SQL, insertArguments
	switch {
	case req.IfAbsent:
		sql = s.queries.InsertIfAbsent.SQL
	case !plain:
		sql = s.queries.InsertPlain.SQL
	case len(req.Events) == 1:
		sql, arguments = s.queries.InsertOne.SQL, insertOneArguments
	}
	args, err := arguments(req)
	if err != nil {
		return nil, err
	}
	rows, _ := tx.Query(ctx, sql, args...) // rows has the error too
	answers, err := inserted(rows, req.Events)
	if err != nil {
		return nil, s.engine.InsertError(ctx, req.Events, err)
	}
	return answers, nil
}

// inserted reads which rows were written. Rows that were left out are not
// returned, so each answer is matched by its id.
func inserted(rows pgx.Rows, events []outbox.Event) ([]outbox.Inserted, error) {
	defer rows.Close()
	answers := make([]outbox.Inserted, len(events))
	at, next := map[string]int(nil), 0
	err := eachRow(rows, func(r *row) {
		id := r.text()
		if next < len(events) && events[next].ID != string(id) || next == len(events) {
			if at == nil {
				at = make(map[string]int, len(events))
				for i := range events {
					at[events[i].ID] = i
				}
			}
			i, ok := at[string(id)]
			if !ok {
				r.err = fmt.Errorf("the answer is about an event %q that was not sent", id)
				return
			}
			next = i
		}
		answers[next] = outbox.Inserted{Seq: r.integer(), TopLevel: r.boolean()}
		next++
	})
	return answers, err
}
