package pgxstore

import (
	"context"
	"math"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/sendoff-go/outbox/driver"
)

// Lanes implements [driver.Store].
func (s *Store) Lanes(ctx context.Context, after string, limit int) ([]driver.WaitingLane, error) {
	if limit <= 0 {
		return nil, nil
	}
	s.table.Store(unknown)
	var lanes []driver.WaitingLane
	err := s.run(ctx, s.relayCall("lanes"), func(b *pgx.Batch) {
		b.Queue(s.queries.Lanes.SQL, after, atMost(limit)).Query(func(rows pgx.Rows) error {
			lanes = nil
			return eachRow(rows, func(r *row) {
				lanes = append(lanes, driver.WaitingLane{Lane: r.string(), Age: duration(r.integer())})
			})
		})
	})
	if err != nil {
		return nil, err
	}
	return lanes, nil
}

// duration is one that the database tells in microseconds, which can hold more
// than Go.
func duration(micros int64) time.Duration {
	const most = math.MaxInt64 / int64(time.Microsecond)
	return time.Duration(min(max(micros, -most), most)) * time.Microsecond
}

// atMost is a limit as the statements take it.
func atMost(limit int) int32 { return int32(min(limit, math.MaxInt32)) }
