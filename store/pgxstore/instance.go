package pgxstore

import (
	"context"
	"encoding/json"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/sendoff-go/outbox/driver"
)

// aliveFor is how long an announcement counts.
const aliveFor = time.Minute

// Announce implements [driver.InstanceStore].
func (s *Store) Announce(ctx context.Context, in driver.Instance) error {
	lanes, err := json.Marshal(in.Lanes)
	if err != nil {
		return err
	}
	return s.run(ctx, s.relayCall("announce"), func(b *pgx.Batch) {
		b.Queue(s.queries.InstanceAnnounce.SQL, string(in.Owner), in.Version, string(lanes))
	})
}

// Withdraw implements [driver.InstanceStore].
func (s *Store) Withdraw(ctx context.Context, owner driver.Owner) error {
	return s.run(ctx, s.relayCall("withdraw"), func(b *pgx.Batch) {
		b.Queue(s.queries.InstanceWithdraw.SQL, string(owner))
	})
}

// Instances implements [driver.InstanceStore].
func (s *Store) Instances(ctx context.Context) ([]driver.Instance, error) {
	var found []driver.Instance
	err := s.run(ctx, s.personCall("list instances"), func(b *pgx.Batch) { s.queueInstances(b, &found) })
	if err != nil {
		return nil, err
	}
	return found, nil
}

func (s *Store) queueInstances(b *pgx.Batch, to *[]driver.Instance) {
	b.Queue(s.queries.InstanceList.SQL, micros(aliveFor)).Query(func(rows pgx.Rows) error {
		*to = nil
		return eachRow(rows, func(r *row) {
			in := driver.Instance{Owner: driver.Owner(r.string()), Version: r.string()}
			if err := json.Unmarshal(r.text(), &in.Lanes); err != nil {
				r.err = err
			}
			in.StartedAt, in.SeenAt = r.moment(), r.moment()
			*to = append(*to, in)
		})
	})
}
