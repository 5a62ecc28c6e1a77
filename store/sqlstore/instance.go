package sqlstore

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"github.com/sendoff-go/outbox"
)

// aliveFor is how long an announcement counts.
const aliveFor = time.Minute

// Announce implements [outbox.InstanceStore].
func (s *Store) Announce(ctx context.Context, in outbox.Instance) error {
	lanes, err := json.Marshal(in.Lanes)
	if err != nil {
		return err
	}
	return s.run(ctx, "announce", s.config.StatementTimeout, func(ctx context.Context, session *Session) error {
		_, err := session.Exec(ctx, s.queries.InstanceAnnounce, nil, string(in.Owner), in.Version, string(lanes))
		return err
	})
}

// Withdraw implements [outbox.InstanceStore].
func (s *Store) Withdraw(ctx context.Context, owner outbox.Owner) error {
	return s.run(ctx, "withdraw", s.config.StatementTimeout, func(ctx context.Context, session *Session) error {
		_, err := session.Exec(ctx, s.queries.InstanceWithdraw, nil, string(owner))
		return err
	})
}

// Instances implements [outbox.InstanceStore].
func (s *Store) Instances(ctx context.Context) ([]outbox.Instance, error) {
	var found []outbox.Instance
	err := s.run(ctx, "list instances", s.config.StatementTimeout, func(ctx context.Context, session *Session) (err error) {
		found, err = instances(ctx, session)
		return err
	})
	if err != nil {
		return nil, err
	}
	return found, nil
}

func instances(ctx context.Context, s *Session) ([]outbox.Instance, error) {
	rows, err := s.Query(ctx, s.Queries.InstanceList, nil, s.Dialect.micros(aliveFor))
	return collect(rows, err, func(rows *sql.Rows) (in outbox.Instance, err error) {
		var started, seen moment
		var lanes data
		if err = rows.Scan(&in.Owner, &in.Version, &lanes, &started, &seen); err != nil {
			return in, err
		}
		in.StartedAt, in.SeenAt = started.Time, seen.Time
		return in, json.Unmarshal(lanes, &in.Lanes)
	})
}
