package sqlstore

import (
	"context"
	"slices"
	"time"
)

// InsertRows is the strategy for databases whose INSERT returns no rows: one
// statement with all rows of values, and a second one for the seqs if there are
// several. For an insert that skips stored ids, it asks for those first.
func InsertRows(ctx context.Context, s *Session, q Query, rows Batch, headStart time.Duration) ([]InsertedRow, error) {
	if q.which == nil {
		return s.insertRows(ctx, q, rows, headStart)
	}
	stored, err := s.Query(ctx, *q.which, rows[:1])
	ids, err := collect(stored, err, scanValue[string])
	if err != nil {
		return nil, err
	}
	rows = rows.without(func(id any) bool { return slices.Contains(ids, id.(string)) })
	all, err := s.insertRows(ctx, q, rows, headStart)
	if err == nil || s.Dialect.Fault(err) != FaultDuplicate {
		return all, err
	}
	// Another transaction wrote one of them meanwhile, or the batch has it
	// twice. The failed statement left nothing behind, and the transaction goes
	// on. A single row is not sent again: on MySQL the failure left a lock, and
	// two transactions that insert past each other's lock would deadlock.
	if rows.Rows() == 1 {
		return nil, nil
	}
	all = nil
	for i := range rows.Rows() {
		one, err := s.insertRows(ctx, q, rows.slice(i, i+1), headStart)
		if err != nil && s.Dialect.Fault(err) != FaultDuplicate {
			return nil, err
		}
		all = append(all, one...)
	}
	return all, nil
}

func (s *Session) insertRows(ctx context.Context, q Query, rows Batch, headStart time.Duration) ([]InsertedRow, error) {
	n := rows.Rows()
	if n == 0 {
		return nil, nil
	}
	width := len(rows) + 1
	args := make([]any, 0, n*width)
	for i := range n {
		for _, column := range rows {
			args = append(args, column[i])
		}
		args = append(args, s.Dialect.micros(headStart))
	}
	result, err := s.exec(ctx, q.values(n, width), nil, args...)
	if err != nil {
		return nil, err
	}
	if n == 1 {
		seq, err := result.LastInsertId()
		return []InsertedRow{{EventID: rows[0][0].(string), Seq: seq}}, err
	}
	answer, err := s.Query(ctx, s.Queries.InsertedSeqs, rows[:1])
	return collect(answer, err, scanInserted)
}
