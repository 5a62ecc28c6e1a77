package sqlstore

import (
	"context"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/internal/stored"
)

// toRetry is the mark with which SQL asks for a retry of a letter.
const toRetry = "TO_RETRY"

// marked is a letter that SQL has marked.
type marked struct {
	key    driver.DeadKey
	status text
}

func scanMarked(rows Rows) (m marked, err error) {
	return m, rows.Scan(&m.key.EventID, &m.key.Seq, &m.status)
}

// moveMarked retries and resolves letters as SQL has marked them.
func (s *Session) moveMarked(ctx context.Context, limit int, again retrying) error {
	all, err := s.marked(ctx, limit)
	if err != nil {
		return err
	}
	var retry, resolve []driver.DeadKey
	for _, m := range all {
		if m.status == toRetry {
			retry = append(retry, m.key)
		} else {
			resolve = append(resolve, m.key)
		}
	}
	if len(resolve) > 0 {
		if _, err := changing(ctx, s, s.Queries.DeadResolve, scanGrave, keyBatch(resolve)); err != nil {
			return err
		}
	}
	if len(retry) == 0 {
		return nil
	}
	return again(ctx, s, retry)
}

// marked locks letters that SQL has marked, except those that another session has
// locked. If the statement has a companion, that finds them, and the statement reads
// them once more under the lock.
func (s *Session) marked(ctx context.Context, limit int) ([]marked, error) {
	q := s.Queries.Marked
	if q.which == nil {
		return skipping(ctx, s, q, scanMarked, nil, stored.AtMost(limit))
	}
	keys, err := s.oldest(ctx, *q.which, s.Queries.DeadFree, scanLetterKey, limit)
	if err != nil || keys.Rows() == 0 {
		return nil, err
	}
	rows, err := s.Query(ctx, q, keys)
	return collect(rows, err, scanMarked)
}

// retrying puts marked letters back into the outbox. Those whose id is there stay, and
// say so.
type retrying func(ctx context.Context, s *Session, letters []driver.DeadKey) error

// retryTogether waits for whoever writes an event with the id of one of the letters.
func retryTogether(ctx context.Context, s *Session, letters []driver.DeadKey) error {
	if _, err := s.Dialect.Replay(ctx, s, letters); err != nil {
		return err
	}
	_, err := s.Exec(ctx, s.Queries.MarkedConflict, keyBatch(letters)) // those that are still there
	return err
}

// retryApart leaves out letters whose ids others are writing.
func retryApart(ctx context.Context, s *Session, letters []driver.DeadKey) error {
	return s.apart(ctx, len(letters), func(from, to int) error {
		if probe := s.Queries.DeadReplayFree; probe.exists() {
			rows, err := s.Query(ctx, probe, keyBatch(letters[from:to]))
			if _, err := collect(rows, err, scanValue[string]); err != nil {
				return err
			}
		}
		return retryTogether(ctx, s, letters[from:to])
	})
}
