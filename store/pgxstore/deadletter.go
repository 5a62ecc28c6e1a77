package pgxstore

import (
	"context"
	"encoding/json"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/sendoff-go/outbox"
)

// countBound is where counting stops: a number on a page is not worth a scan.
const countBound = 10_000

func filterArguments(f outbox.DeadFilter, more ...any) []any {
	return append([]any{f.Lane, f.Error, f.Resolved, timeOrNull(f.DiedBefore), timeOrNull(f.DiedAfter)}, more...)
}

func timeOrNull(t time.Time) pgtype.Timestamptz {
	return pgtype.Timestamptz{Time: t, Valid: !t.IsZero()}
}

// CountDead implements [outbox.DeadLetterStore].
func (s *Store) CountDead(ctx context.Context, f outbox.DeadFilter) (n outbox.Count, err error) {
	err = s.run(ctx, s.personCall("count dead letters"), func(b *pgx.Batch) {
		queueCount(b, &n, s.queries.DeadCount.SQL, filterArguments(f)...)
	})
	return n, err
}

// queueCount queues a statement whose last argument is where to stop counting.
func queueCount(b *pgx.Batch, to *outbox.Count, sql string, args ...any) {
	b.Queue(sql, append(args, int32(countBound+1))...).Query(func(rows pgx.Rows) error {
		return eachRow(rows, func(r *row) { *to = boundedCount(r.integer()) })
	})
}

func boundedCount(n int64) outbox.Count {
	return outbox.Count{N: min(n, countBound), More: n > countBound}
}

// ListDead implements [outbox.DeadLetterStore].
func (s *Store) ListDead(ctx context.Context, f outbox.DeadFilter, after *outbox.DeadCursor, limit int) ([]outbox.DeadLetter, error) {
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

// GetDead implements [outbox.DeadLetterStore]. Of an id that died more than
// once it is the latest letter.
func (s *Store) GetDead(ctx context.Context, id string) (outbox.DeadLetter, bool, error) {
	letters, err := s.letters(ctx, "get dead letter", s.queries.DeadGet.SQL, id)
	if err != nil || len(letters) == 0 {
		return outbox.DeadLetter{}, false, err
	}
	return letters[0], true, nil
}

func (s *Store) letters(ctx context.Context, what, sql string, args ...any) ([]outbox.DeadLetter, error) {
	var letters []outbox.DeadLetter
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
func (d *reader) letter(r *row) (l outbox.DeadLetter) {
	l.Problem = d.event(r, &l.Held, &l.Event)
	l.Attempts, l.Error = int(r.integer()), r.string()
	l.Failures = outbox.ParseFailures(json.RawMessage(r.text()))
	occurred := r.moment()
	l.CreatedAt, l.DiedAt, l.ResolvedAt = r.moment(), r.moment(), r.moment()
	l.Event.OccurredAt = occurredAt(occurred, l.CreatedAt)
	return l
}

// SweepDead implements [outbox.DeadLetterStore].
func (s *Store) SweepDead(ctx context.Context, age time.Duration, limit int) (n int, err error) {
	if limit <= 0 {
		return 0, nil
	}
	err = s.run(ctx, s.relaySweep("sweep dead letters"), func(b *pgx.Batch) {
		b.Queue(s.queries.DeadSweep.SQL, micros(max(age, 0)), atMost(limit)).Exec(countInto(&n))
	})
	return n, err
}
