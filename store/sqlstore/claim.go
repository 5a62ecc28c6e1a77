package sqlstore

import (
	"cmp"
	"context"
	"slices"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/internal/stored"
)

// Claim implements [driver.Store].
func (s *Engine) Claim(ctx context.Context, req driver.ClaimRequest) ([]driver.Claimed, error) {
	req.Wants = slices.DeleteFunc(slices.Clone(req.Wants), func(w driver.Want) bool { return w.Rows <= 0 })
	if len(req.Wants) == 0 {
		return nil, nil
	}
	var claimed []driver.Claimed
	err := s.run(ctx, s.relayCall("claim", func(ctx context.Context, session *Session) (err error) {
		claimed, err = s.dialect.Claim(ctx, session, req)
		return err
	}))
	if err != nil {
		return nil, err
	}
	// No database promises an order of the rows that an UPDATE returns.
	slices.SortFunc(claimed, func(a, b driver.Claimed) int {
		return cmp.Or(cmp.Compare(a.Event.Type, b.Event.Type),
			a.Position.AvailableAt.Compare(b.Position.AvailableAt), cmp.Compare(a.Seq, b.Seq))
	})
	return claimed, nil
}

// ClaimTogether is the strategy of one statement for all lanes.
func ClaimTogether(ctx context.Context, s *Session, req driver.ClaimRequest) ([]driver.Claimed, error) {
	b := newBatch(5, len(req.Wants))
	for _, w := range req.Wants {
		b.add(w.Lane, stored.AtMost(w.Rows), int64(w.Bytes), w.After.AvailableAt, w.After.Seq)
	}
	rows, err := s.Query(ctx, s.Queries.Claim, b, string(req.Owner), s.Dialect.micros(req.Lease), s.Dialect.age(req.Age))
	return collect(rows, err, s.scanClaimed)
}

// ClaimLaneByLane is the strategy of one statement for each lane, for embedded
// databases. It runs claim_before.sql first.
func ClaimLaneByLane(ctx context.Context, s *Session, req driver.ClaimRequest) ([]driver.Claimed, error) {
	if _, err := s.ExecIfAny(ctx, s.Queries.ClaimBefore); err != nil {
		return nil, err
	}
	send, done, err := s.prepare(ctx, s.Queries.Claim, len(req.Wants))
	if err != nil {
		return nil, err
	}
	defer done()
	var all []driver.Claimed
	for _, w := range req.Wants {
		rows, err := send(ctx, w.Lane, stored.AtMost(w.Rows), int64(w.Bytes),
			w.After.AvailableAt, w.After.Seq, string(req.Owner), s.Dialect.micros(req.Lease), s.Dialect.age(req.Age))
		claimed, err := collect(rows, err, s.scanClaimed)
		if err != nil {
			return nil, err
		}
		all = append(all, claimed...)
	}
	return all, nil
}
