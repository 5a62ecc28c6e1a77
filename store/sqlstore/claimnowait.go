package sqlstore

import (
	"context"
	"slices"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// aheads is how many batches ahead a claimer looks that finds the head of a lane
// locked.
const aheads = 3

// ClaimWithoutSkip is the strategy for databases that have NOWAIT and no SKIP
// LOCKED. Candidates are found without a lock, as in [ClaimInSteps]. Then
// claim_read.sql locks them, or fails if it would have to wait, and returns those
// that are still free, as they will be once claim_mark.sql has marked them.
//
// Relays that meet at the head of a lane give way: one that finds a row locked
// takes the next batch of that lane, and one whose rows were claimed since it
// found them looks again. If nothing is left there, it looks for the rows of the
// first batch that nobody has locked.
func ClaimWithoutSkip(ctx context.Context, s *Session, req driver.ClaimRequest) ([]driver.Claimed, error) {
	c := unlockedClaim{s: s, req: req}
	claimed, _, found, err := c.batch(ctx, req.Wants)
	if err != nil {
		return nil, err
	}
	if len(claimed) == 0 && len(found) > 0 {
		for _, w := range req.Wants {
			some, err := c.lane(ctx, w)
			if err != nil {
				return nil, err
			}
			claimed = append(claimed, some...)
		}
	}
	if len(claimed) == 0 {
		return nil, nil
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

// batch locks the next rows of every want, or none if one of them is locked.
func (c *unlockedClaim) batch(ctx context.Context, wants []driver.Want) (claimed []driver.Claimed, locked bool, found []candidate, err error) {
	if found, err = c.s.candidates(ctx, c.req, wants); err != nil {
		return nil, false, nil, err
	}
	keys := fitting(found, wants).without(func(seq any) bool { return c.seen[seq.(int64)] })
	if keys.Rows() == 0 {
		return nil, false, found, nil
	}
	rows, err := c.s.Query(ctx, c.s.Queries.ClaimRead, keys, c.s.Dialect.age(c.req.Age))
	claimed, err = collect(rows, err, c.s.scanClaimed)
	if err != nil && c.s.Dialect.Fault(err) == FaultLocked {
		return nil, true, found, nil
	}
	return claimed, false, found, err
}

// lane locks rows of one want, where others were faster or have locked some.
func (c *unlockedClaim) lane(ctx context.Context, w driver.Want) (claimed []driver.Claimed, err error) {
	first, ahead := []candidate(nil), w
	for range aheads {
		claimed, locked, found, err := c.batch(ctx, []driver.Want{ahead})
		if err != nil || len(claimed) > 0 {
			return c.note(claimed), err
		}
		if !locked && len(found) > 0 {
			continue // all were claimed since they were found
		}
		if first == nil {
			first = found
		}
		if len(found) < w.Rows {
			break // the lane ends here
		}
		last := slices.MaxFunc(found, candidate.compare)
		ahead.After = driver.Position{AvailableAt: time.UnixMicro(last.at).UTC(), Seq: last.seq}
	}
	keys := fitting(first, []driver.Want{w}).without(func(seq any) bool { return c.seen[seq.(int64)] })
	if keys.Rows() == 0 {
		return nil, nil
	}
	claimed, err = skipping(ctx, c.s, c.s.Queries.ClaimRead, c.s.scanClaimed, keys, c.s.Dialect.age(c.req.Age))
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
