package pgxstore

import (
	"context"
	"encoding/json"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/sendoff-go/outbox/driver"
)

// countBound is where counting stops: a number on a page is not worth a scan.
const countBound = 10_000

func filterArguments(f driver.DeadFilter, more ...any) []any {
	return append([]any{f.Lane, f.Error, f.Resolved, timeOrNull(f.DiedBefore), timeOrNull(f.DiedAfter)}, more...)
}

func timeOrNull(t time.Time) pgtype.Timestamptz {
	return pgtype.Timestamptz{Time: t, Valid: !t.IsZero()}
}

// CountDead implements [driver.DeadLetterStore].
func (s *Store) CountDead(ctx context.Context, f driver.DeadFilter) (n driver.Count, err error) {
	err = s.run(ctx, s.personCall("count dead letters"), func(b *pgx.Batch) {
		queueCount(b, &n, s.queries.DeadCount.SQL, filterArguments(f)...)
	})
	return n, err
}

// queueCount queues a statement whose last argument is where to stop counting.
func queueCount(b *pgx.Batch, to *driver.Count, sql string, args ...any) {
	b.Queue(sql, append(args, int32(countBound+1))...).Query(func(rows pgx.Rows) error {
		return eachRow(rows, func(r *row) { *to = boundedCount(r.integer()) })
	})
}

func boundedCount(n int64) driver.Count {
	return driver.Count{N: min(n, countBound), More: n > countBound}
}

// ListDead implements [driver.DeadLetterStore].
func (s *Store) ListDead(ctx context.Context, f driver.DeadFilter, after *driver.DeadCursor, limit int) ([]driver.DeadLetter, error) {
	if limit <= 0 {
		return nil, nil
	}
	var diedAt pgtype.Timestamptz
	var id pgtype.Text
	if after != nil {
		diedAt, id = pgtype.Timestamptz{Time: after.DiedAt, Valid: true}, pgtype.Text{String: after.EventID, Valid: true}
	}
	return s.letters(ctx, "list dead letters", s.queries.DeadList.SQL, filterArguments(f, diedAt, id, atMost(limit))...)
}

// GetDead implements [driver.DeadLetterStore]. Of an id that died more than
// once it is the latest letter.
func (s *Store) GetDead(ctx context.Context, id string) (driver.DeadLetter, bool, error) {
	letters, err := s.letters(ctx, "get dead letter", s.queries.DeadGet.SQL, id)
	if err != nil || len(letters) == 0 {
		return driver.DeadLetter{}, false, err
	}
	return letters[0], true, nil
}

func (s *Store) letters(ctx context.Context, what, sql string, args ...any) ([]driver.DeadLetter, error) {
	var letters []driver.DeadLetter
	var read reader
	err := s.run(ctx, s.personCall(what), func(b *pgx.Batch) {
		b.Queue(sql, args...).Query(func(rows pgx.Rows) error {
			letters = nil
			return eachRow(rows, func(r *row) { letters = append(letters, read.letter(r)) })
		})
	})
	if err != nil {
		return nil, err
	}
	return letters, nil
}

// letter reads one row of dlq_list.sql and dlq_get.sql.
func (d *reader) letter(r *row) (l driver.DeadLetter) {
	l.Problem = d.event(r, &l.Held, &l.Event)
	l.Attempts, l.Error = int(r.integer()), r.string()
	l.Failures = driver.ParseFailures(json.RawMessage(r.text()))
	occurred := r.moment()
	l.CreatedAt, l.DiedAt, l.ResolvedAt = r.moment(), r.moment(), r.moment()
	l.Event.OccurredAt = occurredAt(occurred, l.CreatedAt)
	return l
}

// SweepDead implements [driver.DeadLetterStore].
func (s *Store) SweepDead(ctx context.Context, age time.Duration, limit int) (n int, err error) {
	if limit <= 0 {
		return 0, nil
	}
	err = s.run(ctx, s.relaySweep("sweep dead letters"), func(b *pgx.Batch) {
		b.Queue(s.queries.DeadSweep.SQL, micros(max(age, 0)), atMost(limit)).Exec(countInto(&n))
	})
	return n, err
}
