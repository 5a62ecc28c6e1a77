package sqlstore

import (
	"context"
	"encoding/json"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// aliveFor is how long an announcement is valid.
const aliveFor = time.Minute

// Announce implements [driver.InstanceStore].
func (s *Engine) Announce(ctx context.Context, in driver.Instance) error {
	lanes, err := json.Marshal(in.Lanes)
	if err != nil {
		return err
	}
	destinations, err := json.Marshal(append([]driver.InstanceDestination{}, in.Destinations...))
	if err != nil {
		return err
	}
	figures, err := json.Marshal(in.Figures)
	if err != nil {
		return err
	}
	return s.run(ctx, s.relayCall("announce", func(ctx context.Context, session *Session) error {
		_, err := session.Exec(ctx, s.queries.InstanceAnnounce, nil, string(in.Owner), in.Version, string(lanes), string(destinations), string(figures))
		return err
	}).single())
}

// Withdraw implements [driver.InstanceStore].
func (s *Engine) Withdraw(ctx context.Context, owner driver.Owner) error {
	return s.run(ctx, s.relayCall("withdraw", func(ctx context.Context, session *Session) error {
		_, err := session.Exec(ctx, s.queries.InstanceWithdraw, nil, string(owner))
		return err
	}).single())
}

// Instances implements [driver.InstanceStore].
func (s *Engine) Instances(ctx context.Context) ([]driver.Instance, error) {
	var found []driver.Instance
	err := s.run(ctx, s.personCall("list instances", func(ctx context.Context, session *Session) (err error) {
		found, err = instances(ctx, session)
		return err
	}).single())
	if err != nil {
		return nil, err
	}
	return found, nil
}

func instances(ctx context.Context, s *Session) ([]driver.Instance, error) {
	rows, err := s.Query(ctx, s.Queries.InstanceList, nil, s.Dialect.micros(aliveFor))
	return collect(rows, err, func(rows Rows) (in driver.Instance, err error) {
		var started, seen moment
		var lanes, destinations, figures data
		if err = rows.Scan(&in.Owner, &in.Version, &lanes, &destinations, &figures, &started, &seen); err != nil {
			return in, err
		}
		in.StartedAt, in.SeenAt = started.Time, seen.Time
		if err = json.Unmarshal(lanes, &in.Lanes); err != nil {
			return in, err
		}
		if err = json.Unmarshal(destinations, &in.Destinations); err != nil {
			return in, err
		}
		return in, json.Unmarshal(figures, &in.Figures)
	})
}
