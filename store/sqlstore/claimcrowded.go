package sqlstore

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/internal/stored"
)

const (
	// A claimer that finds others at its place goes fewer than leap batches
	// ahead; aheads is how many it looks at one by one in a shorter lane.
	leap, aheads = 16, 2
	// refusals is how many locked batches and halves of batches it puts up with.
	refusals = 32
)

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
	over := int64(far)*stored.AtMost(w.Rows) - 1
	rows, err := c.s.Query(ctx, c.s.Queries.ClaimAhead, nil, w.Lane, w.After.AvailableAt, w.After.Seq, c.s.Dialect.age(c.req.Age), over)
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
