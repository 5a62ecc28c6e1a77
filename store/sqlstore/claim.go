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

// ClaimTogether is the strategy of one statement for all lanes, and another for all
// tenants.
func ClaimTogether(ctx context.Context, s *Session, req driver.ClaimRequest) ([]driver.Claimed, error) {
	var all []driver.Claimed
	lanes, tenants := newBatch(5, len(req.Wants)), newBatch(6, len(req.Wants))
	for _, w := range req.Wants {
		b := lanes
		if w.ByTenant {
			b = tenants
		}
		b.add(w.Lane, stored.AtMost(w.Rows), int64(w.Bytes), w.After.AvailableAt, w.After.Seq, w.Tenant)
	}
	for _, part := range []struct {
		q Query
		b Batch
	}{{s.Queries.Claim, lanes}, {s.Queries.ClaimTenant, tenants}} {
		if part.b.Rows() == 0 {
			continue
		}
		rows, err := s.Query(ctx, part.q, part.b, string(req.Owner), s.Dialect.micros(req.Lease), s.Dialect.age(req.Age))
		claimed, err := collect(rows, err, s.scanClaimed)
		if err != nil {
			return nil, err
		}
		all = append(all, claimed...)
	}
	return all, nil
}

// ClaimLaneByLane is the strategy of one statement for each lane, or each tenant of
// a lane, for embedded databases. It runs claim_before.sql first.
func ClaimLaneByLane(ctx context.Context, s *Session, req driver.ClaimRequest) ([]driver.Claimed, error) {
	if _, err := s.ExecIfAny(ctx, s.Queries.ClaimBefore); err != nil {
		return nil, err
	}
	var all []driver.Claimed
	for _, byTenant := range []bool{false, true} {
		wants := slices.DeleteFunc(slices.Clone(req.Wants), func(w driver.Want) bool { return w.ByTenant != byTenant })
		claimed, err := s.claimEach(ctx, req, wants, byTenant)
		if err != nil {
			return nil, err
		}
		all = append(all, claimed...)
	}
	return all, nil
}

// claimEach claims for one want after the other. Either all are by tenant, or none.
func (s *Session) claimEach(ctx context.Context, req driver.ClaimRequest, wants []driver.Want, byTenant bool) (all []driver.Claimed, err error) {
	if len(wants) == 0 {
		return nil, nil
	}
	q := s.Queries.Claim
	if byTenant {
		q = s.Queries.ClaimTenant
	}
	send, done, err := s.prepare(ctx, q, len(wants))
	if err != nil {
		return nil, err
	}
	defer done()
	for _, w := range wants {
		args := []any{w.Lane, stored.AtMost(w.Rows), int64(w.Bytes), w.After.AvailableAt, w.After.Seq, string(req.Owner), s.Dialect.micros(req.Lease), s.Dialect.age(req.Age)}
		if byTenant {
			args = append(args, w.Tenant)
		}
		rows, err := send(ctx, args...)
		claimed, err := collect(rows, err, s.scanClaimed)
		if err != nil {
			return nil, err
		}
		all = append(all, claimed...)
	}
	return all, nil
}
