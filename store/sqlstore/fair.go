package sqlstore

import (
	"context"
	"fmt"
	"strings"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/internal/stored"
)

var _ driver.FairStore = (*Engine)(nil)

// Tenants implements [driver.FairStore].
func (s *Engine) Tenants(ctx context.Context, lane, after string, limit int) ([]driver.WaitingTenant, error) {
	if limit <= 0 {
		return nil, nil
	}
	var tenants []driver.WaitingTenant
	err := s.run(ctx, s.relayCall("tenants", func(ctx context.Context, session *Session) (err error) {
		tenants, err = session.tenants(ctx, lane, after, limit)
		return err
	}).single())
	if err != nil {
		return nil, err
	}
	return tenants, nil
}

func (s *Session) tenants(ctx context.Context, lane, after string, limit int) ([]driver.WaitingTenant, error) {
	if !s.Dialect.LaneByLane {
		answer, err := s.Query(ctx, s.Queries.Tenants, nil, lane, after, stored.AtMost(limit))
		return collect(answer, err, scanTenant)
	}
	next, done, err := s.prepare(ctx, s.Queries.Tenants, limit)
	if err != nil {
		return nil, err
	}
	defer done()
	if after == "" {
		after = beforeTenants
	}
	var all []driver.WaitingTenant
	for rows := firstSample; len(all) < limit; {
		answer, err := next(ctx, lane, after, stored.AtMost(limit-len(all)), int64(rows))
		some, err := collect(answer, err, scanTenant)
		if err != nil || len(some) == 0 {
			return all, err
		}
		for _, t := range some {
			if t.Tenant != "" { // another program wrote it; it means no tenant
				all = append(all, t)
			}
		}
		after = some[len(some)-1].Tenant
		rows = nextSample(rows, len(some))
	}
	return all, nil
}

// beforeTenants sorts before all tenants where names are compared as if padded
// with spaces: control characters sort before the empty string there.
var beforeTenants = strings.Repeat("\x00", 64)

func scanTenant(rows Rows) (t driver.WaitingTenant, err error) {
	var due flag
	err = rows.Scan(&t.Tenant, &due)
	t.Due = bool(due)
	return t, err
}

// PrepareFair implements [driver.FairStore]: it creates an index of the pending
// rows by lane and tenant. Writers wait meanwhile, except on MySQL and MariaDB. For
// a large table in use, [FairSQL] returns a statement that does not block them.
func (s *Engine) PrepareFair(ctx context.Context) error {
	err := s.run(ctx, s.migrationCall(migrating, func(ctx context.Context, session *Session) error {
		_, err := s.checkSchema(ctx, session)
		return err
	}))
	if err != nil {
		return err
	}
	return s.migrate(ctx, func(ctx context.Context, session *Session, _ []int) error {
		exists, valid, err := session.fairIndex(ctx)
		if err != nil || valid {
			return err
		}
		if exists {
			if err := session.execAll(ctx, s.names.statements("fair.down.sql")); err != nil {
				return err
			}
		}
		return session.execAll(ctx, s.names.statements("fair.up.sql"))
	})
}

// CheckFair implements [driver.FairStore].
func (s *Engine) CheckFair(ctx context.Context) error {
	var found bool
	err := s.run(ctx, s.relayCall("look for the index for fair claims", func(ctx context.Context, session *Session) (err error) {
		_, found, err = session.fairIndex(ctx)
		return err
	}).single())
	if err == nil && !found {
		err = fmt.Errorf("%w: claims that are fair to tenants need the index %s_fair, which is missing or invalid: "+
			"run `outbox migrate up --fair`, or call PrepareFair of the store", outbox.ErrSchema, s.names.tables[wordEvent].table)
	}
	return err
}

func (s *Session) fairIndex(ctx context.Context) (exists, valid bool, err error) {
	rows, err := s.Query(ctx, s.Queries.FairCheck, nil)
	found, err := collect(rows, err, func(rows Rows) (f [2]flag, err error) { return f, rows.Scan(&f[0], &f[1]) })
	if err != nil || len(found) != 1 {
		return false, false, err
	}
	return bool(found[0][0]), bool(found[0][1]), nil
}

// FairSQL returns the statement of PrepareFair for those who run SQL themselves, in
// the form for a table in use: on PostgreSQL it must run outside of a transaction.
// It fails only on invalid names.
func FairSQL(d Dialect, t Tables) (string, error) {
	names, err := newNaming(&d, t)
	if err != nil {
		return "", err
	}
	live := names.statements("fair.live.sql")
	if live == nil {
		live = names.statements("fair.up.sql")
	}
	return script(live), nil
}
