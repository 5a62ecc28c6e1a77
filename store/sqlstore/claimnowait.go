package sqlstore

import (
	"context"

	"github.com/sendoff-go/outbox/driver"
)

// restarts is how often a claim begins again at most.
const restarts = 3

// ClaimWithoutSkip is the strategy for databases that have NOWAIT and no SKIP
// LOCKED. Candidates are found without a lock, as in [ClaimInSteps]. Then
// claim_read.sql locks them, or fails if it would have to wait, and returns those
// that are still free, as they will be once claim_mark.sql has marked them.
//
// Relays that meet keep apart from then on. One that finds a row locked goes some
// batches ahead in its lane, chance says how many, if claim_ahead.sql finds that
// many; its next claim starts there. If the lane is shorter, it looks for the rows
// of the first batch that nobody has locked. One whose rows were claimed since it
// found them begins again: it has locked them, and their owner wants to settle
// them.
func ClaimWithoutSkip(ctx context.Context, s *Session, req driver.ClaimRequest) ([]driver.Claimed, error) {
	c := unlockedClaim{s: s, req: req}
	claimed, err := c.claim(ctx)
	if err != nil || len(claimed) == 0 {
		return nil, err
	}
	marked := newBatch(1, len(claimed))
	for _, c := range claimed {
		marked.add(c.Seq)
	}
	_, err = s.Exec(ctx, s.Queries.ClaimMark, marked, string(req.Owner), s.Dialect.micros(req.Lease))
	return claimed, err
}

type unlockedClaim struct {
	s    *Session
	req  driver.ClaimRequest
	seen map[int64]bool // rows that another want has got: two may be for the same rows
}

// claim locks the next rows of every want, or, if others are in the way of one of
// them, rows of each want by itself.
func (c *unlockedClaim) claim(ctx context.Context) (claimed []driver.Claimed, err error) {
	alone := len(c.req.Wants) == 1
	if crowded := alone && c.s.attempt > 0; !crowded {
		found, err := c.s.candidates(ctx, c.req, c.req.Wants)
		if err != nil || len(found) == 0 {
			return nil, err
		}
		if claimed, err := c.lock(ctx, found, c.req.Wants); err != nil || len(claimed) > 0 {
			return claimed, err
		}
	}
	for _, w := range c.req.Wants {
		some, err := c.lane(ctx, w, alone)
		if err != nil {
			return nil, err
		}
		claimed = append(claimed, some...)
	}
	return claimed, nil
}

// lock locks what was found, or nothing if one of the rows is locked.
func (c *unlockedClaim) lock(ctx context.Context, found []candidate, wants []driver.Want) ([]driver.Claimed, error) {
	keys := c.keys(found, wants)
	if keys.Rows() == 0 {
		return nil, nil
	}
	rows, err := c.s.Query(ctx, c.s.Queries.ClaimRead, keys, c.s.Dialect.age(c.req.Age))
	claimed, err := collect(rows, err, c.s.scanClaimed)
	switch {
	case err != nil && c.s.Dialect.Fault(err) == FaultLocked:
		return nil, nil
	case err == nil && len(claimed) == 0 && len(c.seen) == 0 && c.s.attempt < restarts:
		return nil, errAgain
	}
	return c.note(claimed), err
}

// keys are those of the rows that their wants have room for.
func (c *unlockedClaim) keys(found []candidate, wants []driver.Want) Batch {
	return fitting(found, wants).without(func(seq any) bool { return c.seen[seq.(int64)] })
}

// note remembers rows that are locked for this claim.
func (c *unlockedClaim) note(claimed []driver.Claimed) []driver.Claimed {
	if c.seen == nil {
		c.seen = map[int64]bool{}
	}
	for _, one := range claimed {
		c.seen[one.Seq] = true
	}
	return claimed
}
