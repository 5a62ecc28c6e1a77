package sqlstore

import (
	"context"

	"github.com/sendoff-go/outbox/driver"
)

// ReplayTogether is the strategy of one statement that moves letters and
// returns each id with whether it is back in the outbox.
func ReplayTogether(ctx context.Context, s *Session, ids []string) (map[string]driver.DeadStatus, error) {
	_, status, err := s.replayable(ctx, s.Queries.DeadReplay, ids)
	return status, err
}

// ReplayInSteps is the strategy of three statements: find out which letters
// can go back, copy those, delete those.
func ReplayInSteps(ctx context.Context, s *Session, ids []string) (map[string]driver.DeadStatus, error) {
	back, status, err := s.replayable(ctx, s.Queries.DeadReplayFind, ids)
	if err != nil || len(back) == 0 {
		return status, err
	}
	for _, q := range []Query{s.Queries.DeadReplay, s.Queries.DeadReplayDrop} {
		if _, err := s.Exec(ctx, q, idBatch(back)); err != nil {
			return nil, err
		}
	}
	return status, nil
}

// replayable sends a statement that returns ids, each with true if it can go or
// has gone back, and false if the outbox has an event of that id.
func (s *Session) replayable(ctx context.Context, q Query, ids []string) (back []string, status map[string]driver.DeadStatus, err error) {
	status = make(map[string]driver.DeadStatus, len(ids))
	rows, err := s.Query(ctx, q, idBatch(ids))
	_, err = collect(rows, err, func(rows Rows) (id string, err error) {
		var free flag
		if err = rows.Scan(&id, &free); err != nil {
			return id, err
		}
		status[id] = driver.DeadConflict
		if free {
			status[id] = driver.DeadApplied
			back = append(back, id)
		}
		return id, nil
	})
	return back, status, err
}

func idBatch(ids []string) Batch {
	b := newBatch(1, len(ids))
	for _, id := range ids {
		b.add(id)
	}
	return b
}
