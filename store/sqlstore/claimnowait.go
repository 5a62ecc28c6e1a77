package sqlstore

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/sendoff-go/outbox/driver"
)

const (
	// leap is how many batches ahead a claimer goes, at most, that finds others
	// at its place; aheads is how many it looks at one by one in a shorter lane.
	leap, aheads = 16, 2
	// restarts is how often a claim begins again at most, and refusals how many
	// locked batches and halves of batches it puts up with before that.
	restarts, refusals = 3, 32
)

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

// lane locks rows of one want. If it is crowded, others are known to be at its
// place. Now and then the rows beside a locked one come first: otherwise they
// would wait while the row is locked and the lane is long.
func (c *unlockedClaim) lane(ctx context.Context, w driver.Want, crowded bool) (claimed []driver.Claimed, err error) {
	wants, far := []driver.Want{w}, rand.IntN(leap)
	if crowded {
		if claimed, err = c.leap(ctx, w, far); err != nil || len(claimed) > 0 {
			return claimed, err
		}
	}
	first, err := c.s.candidates(ctx, c.req, wants)
	if err != nil || len(first) == 0 {
		return nil, err
	}
	if claimed, err = c.lock(ctx, first, wants); err != nil || len(claimed) > 0 {
		return claimed, err
	}
	if far > 0 {
		if !crowded {
			claimed, err = c.leap(ctx, w, far)
		}
		if err == nil && len(claimed) == 0 {
			claimed, err = c.ahead(ctx, w, first)
		}
		if err != nil || len(claimed) > 0 {
			return claimed, err
		}
	}
	return c.around(ctx, first, wants)
}

// leap locks a whole batch of rows that many batches ahead, if there is one.
func (c *unlockedClaim) leap(ctx context.Context, w driver.Want, far int) ([]driver.Claimed, error) {
	if far == 0 || w.ByTenant || !c.s.Queries.ClaimAhead.exists() {
		return nil, nil
	}
	rows, err := c.s.Query(ctx, c.s.Queries.ClaimAhead, nil, w.Lane, w.After.AvailableAt, w.After.Seq, c.s.Dialect.age(c.req.Age), int64(far*w.Rows-1))
	places, err := collect(rows, err, func(rows Rows) (p candidate, err error) { return p, rows.Scan(&p.at, &p.seq) })
	if err != nil || len(places) == 0 {
		return nil, err
	}
	w.After = places[0].position()
	found, err := c.s.candidates(ctx, c.req, []driver.Want{w})
	if err != nil || len(found) < w.Rows {
		return nil, err
	}
	return c.lock(ctx, found, []driver.Want{w})
}

// ahead locks rows of one of the batches behind the first.
func (c *unlockedClaim) ahead(ctx context.Context, w driver.Want, found []candidate) (claimed []driver.Claimed, err error) {
	for range aheads {
		if len(found) < w.Rows {
			return nil, nil // the lane ends here
		}
		w.After = slices.MaxFunc(found, candidate.compare).position()
		wants := []driver.Want{w}
		if found, err = c.s.candidates(ctx, c.req, wants); err != nil {
			return nil, err
		}
		if claimed, err = c.lock(ctx, found, wants); err != nil || len(claimed) > 0 {
			return claimed, err
		}
	}
	return nil, nil
}

// around locks those rows of a batch that nobody else has locked. Where so many
// are locked that it finds none, another relay is at them and will soon be done:
// the claim begins again after a pause.
func (c *unlockedClaim) around(ctx context.Context, found []candidate, wants []driver.Want) ([]driver.Claimed, error) {
	keys := c.keys(found, wants)
	if keys.Rows() == 0 {
		return nil, nil
	}
	h := halving{most: refusals}
	claimed, err := skippingWithin(ctx, c.s, &h, c.s.Queries.ClaimRead, c.s.scanClaimed, keys, c.s.Dialect.age(c.req.Age))
	if err == nil && len(claimed) == 0 && h.over() && len(c.seen) == 0 && c.s.attempt < restarts {
		return nil, errBusy
	}
	return c.note(claimed), err
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
