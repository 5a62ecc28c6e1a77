package sqlstore

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/sendoff-go/outbox/driver"
)

// Loss is data in the tables of one version that is still needed.
type Loss struct {
	Version int
	driver.Count
	one, many string
}

// String is "1 open dead letter" or "more than 10000 open dead letters".
func (l Loss) String() string {
	switch {
	case l.More:
		return fmt.Sprintf("more than %d %s", l.N, l.many)
	case l.N == 1:
		return "1 " + l.one
	}
	return fmt.Sprintf("%d %s", l.N, l.many)
}

// lossBound is where the statements stop counting.
const lossBound = 10_000

// MigrateDownLosses says which data that is still needed MigrateDown would drop:
// undelivered events, open dead letters, ids of consumed events, the audit log,
// mutes of alerts, jobs that have not ended and paused destinations. It changes
// nothing. Steps without such data, and those that would not be reverted, are
// left out.
func (s *Engine) MigrateDownLosses(ctx context.Context, steps int) ([]Loss, error) {
	var all []Loss
	err := s.run(ctx, s.personCall("migrate down", func(ctx context.Context, session *Session) error {
		all = nil
		found, err := s.findSchema(ctx, session)
		if err != nil || !found.readable {
			return err // without the table of versions there is nothing to take back
		}
		done, err := session.versions(ctx)
		if err != nil {
			return err
		}
		for _, m := range s.latest(slices.Collect(maps.Keys(done)), steps) {
			for _, statement := range m.loss {
				rows, err := session.Query(ctx, Query{SQL: statement}, nil)
				losses, err := collect(rows, err, scanLoss)
				if err != nil {
					return fmt.Errorf("version %d (%s): %w", m.version, m.name, err)
				}
				for _, l := range losses {
					if l.Version = m.version; l.N > 0 {
						all = append(all, l)
					}
				}
			}
		}
		return nil
	}))
	return all, err
}

func scanLoss(rows Rows) (l Loss, err error) {
	err = rows.Scan(&l.N, &l.one, &l.many)
	if l.N > lossBound {
		l.Count = driver.Count{N: lossBound, More: true}
	}
	return l, err
}

// latest returns the steps that are done, the last one first.
func (s *Engine) latest(done []int, steps int) []migration {
	all := s.names.migrations()
	slices.Reverse(all)
	all = slices.DeleteFunc(all, func(m migration) bool { return !slices.Contains(done, m.version) })
	return all[:min(max(steps, 0), len(all))]
}
