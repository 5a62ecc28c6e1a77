package pgxstore

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// Paused implements [driver.ControlStore].
func (s *Store) Paused(ctx context.Context) ([]string, error) {
	var lanes []string
	err := s.run(ctx, s.relayCall("read what is paused"), func(b *pgx.Batch) {
		b.Queue(s.queries.ControlPaused.SQL).Query(func(rows pgx.Rows) error {
			lanes = nil
			return eachRow(rows, func(r *row) { lanes = append(lanes, r.string()) })
		})
	})
	if err != nil {
		return nil, err
	}
	return lanes, nil
}

// SetPaused implements [driver.ControlStore].
func (s *Store) SetPaused(ctx context.Context, lane string, paused bool, by string) error {
	return s.run(ctx, s.personCall("pause or resume"), func(b *pgx.Batch) {
		b.Queue(s.queries.ControlSet.SQL, lane, paused, by)
	})
}
