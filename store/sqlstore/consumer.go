package sqlstore

import (
	"context"

	"github.com/sendoff-go/outbox/driver"
)

// ConsumerGroups implements [driver.ConsumerStore]. It goes through the index
// from group to group, since not every database can skip within one statement.
func (s *Engine) ConsumerGroups(ctx context.Context, after string, limit int) ([]driver.ConsumerGroup, error) {
	var groups []driver.ConsumerGroup
	err := s.run(ctx, s.personCall("list consumer groups", func(ctx context.Context, session *Session) error {
		groups = nil
		for name := after; len(groups) < limit; {
			rows, err := session.Query(ctx, s.queries.ConsumerNext, nil, name)
			next, err := collect(rows, err, scanValue[string])
			if err != nil || len(next) == 0 {
				return err
			}
			name = next[0]
			rows, err = session.Query(ctx, s.queries.ConsumerShow, nil, name, int64(countBound+1))
			shown, err := collect(rows, err, func(rows Rows) (g driver.ConsumerGroup, err error) {
				var last moment
				err = rows.Scan(&g.Recorded.N, &last)
				g.Name, g.LastAt = name, last.Time
				return g, err
			})
			if err != nil {
				return err
			}
			for _, g := range shown {
				g.Recorded = boundedCount(g.Recorded.N)
				groups = append(groups, g)
			}
		}
		return nil
	}))
	if err != nil {
		return nil, err
	}
	return groups, nil
}
