package storetest

import (
	"context"
	"slices"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// defect is something that a driver could get wrong, and the law that says so.
type defect struct {
	name   string
	law    string
	random bool // the random law finds it too
	make   func(b *broken)
}

func defects() []defect {
	return slices.Concat(claimDefects(), fenceDefects(), settleDefects(), writeDefects(), otherDefects(), crowdDefects(), lockDefects(), keptDefects(), moodDefects(), letterDefects(), auditDefects(), groupDefects(), alertDefects(), jobDefects(), eventDefects(), fairDefects(), wakeDefects())
}

// claims changes what a claim returns.
func claims(change func(cs []driver.Claimed) []driver.Claimed) func(*broken) {
	return func(b *broken) {
		b.claim = func(ctx context.Context, req driver.ClaimRequest) ([]driver.Claimed, error) {
			cs, err := b.Store.Claim(ctx, req)
			return change(cs), err
		}
	}
}

// eachClaim changes each claimed row.
func eachClaim(change func(c *driver.Claimed)) func(*broken) {
	return claims(func(cs []driver.Claimed) []driver.Claimed {
		for i := range cs {
			change(&cs[i])
		}
		return cs
	})
}

// eachWant changes what a claim asks for.
func eachWant(change func(w *driver.Want)) func(*broken) {
	return func(b *broken) {
		b.claim = func(ctx context.Context, req driver.ClaimRequest) ([]driver.Claimed, error) {
			req.Wants = slices.Clone(req.Wants)
			for i := range req.Wants {
				change(&req.Wants[i])
			}
			return b.Store.Claim(ctx, req)
		}
	}
}

// age changes the age that a claim asks for.
func age(change func(time.Duration) time.Duration) func(*broken) {
	return func(b *broken) {
		b.claim = func(ctx context.Context, req driver.ClaimRequest) ([]driver.Claimed, error) {
			if req.Age > 0 {
				req.Age = change(req.Age)
			}
			return b.Store.Claim(ctx, req)
		}
	}
}

func claimDefects() []defect {
	return []defect{
		{"claims come back out of order", "claims come back in order of lane, time and seq", true,
			claims(func(cs []driver.Claimed) []driver.Claimed { slices.Reverse(cs); return cs })},
		{"a claim takes more rows than wanted", "a claim takes no more rows of a lane than wanted", false,
			eachWant(func(w *driver.Want) { w.Rows *= 2 })},
		{"a claim forgets the bytes", "a claim keeps to the bytes of a lane, but takes at least one row", false,
			eachWant(func(w *driver.Want) { w.Bytes = 0 })},
		{"a claim starves large rows", "a claim keeps to the bytes of a lane, but takes at least one row", false,
			claims(func(cs []driver.Claimed) []driver.Claimed {
				return slices.DeleteFunc(cs, func(c driver.Claimed) bool { return len(c.Event.Payload()) > 2500 })
			})},
		{"a claim forgets the age", "a claim with an age leaves out what became due later", false, age(func(time.Duration) time.Duration { return 0 })},
		{"a claim rounds the age up", "a claim with an age leaves out what became due later", false, age(func(d time.Duration) time.Duration { return d + time.Minute })},
		{"lanes are compared without case", "lane names are compared byte for byte", false, func(b *broken) {
			b.claim = func(ctx context.Context, req driver.ClaimRequest) ([]driver.Claimed, error) {
				req.Wants = append(slices.Clone(req.Wants), wants("Order", "order", "ORDER")...)
				return b.Store.Claim(ctx, req)
			}
		}},
		{"a claim takes what others hold", "the claim of a live owner is skipped", true, func(b *broken) {
			b.claim = func(ctx context.Context, req driver.ClaimRequest) ([]driver.Claimed, error) {
				_ = b.Expire(ctx, b.ids...)
				return b.Store.Claim(ctx, req)
			}
		}},
		{"a claim is doubled under load", "concurrent claimers, writers and a sweeper deliver each event once", false, func(b *broken) {
			var before []driver.Claimed // also given to the next who asks
			b.claim = func(ctx context.Context, req driver.ClaimRequest) ([]driver.Claimed, error) {
				cs, err := b.Store.Claim(ctx, req)
				b.mu.Lock()
				defer b.mu.Unlock()
				both := slices.Concat(before, cs)
				before = cs
				return both, err
			}
		}},
		{"recovered is forgotten", "recovered counts lost owners in a row, and a settle resets it", true,
			eachClaim(func(c *driver.Claimed) { c.Recovered = 0 })},
		{"a head start counts as an owner", "a head start keeps others away until it is over, and no longer", true,
			eachClaim(func(c *driver.Claimed) { c.Recovered = max(c.Recovered, 1) })},
		{"a reader only goes forward", "a transaction that commits late is found behind the position", false, func(b *broken) {
			var last driver.Position
			b.claim = func(ctx context.Context, req driver.ClaimRequest) ([]driver.Claimed, error) {
				for i := range req.Wants {
					req.Wants[i].After = last
				}
				cs, err := b.Store.Claim(ctx, req)
				for _, c := range cs {
					last = c.Position
				}
				return cs, err
			}
		}},
		{"headers get lost", "headers arrive exactly", false,
			eachClaim(func(c *driver.Claimed) { c.Event.Headers = nil })},
		{"JSON is made pretty", "JSON text arrives byte for byte", true,
			eachClaim(func(c *driver.Claimed) { c.Event.JSON = slices.Concat(c.Event.JSON, []byte(" ")) })},
		{"empty bytes become nothing", "bytes arrive byte for byte", false, eachClaim(func(c *driver.Claimed) {
			if len(c.Event.Bytes) == 0 {
				c.Event.Bytes = nil
			}
		})},
		{"times are rounded to seconds", "times arrive as they were, to the store's resolution", false,
			eachClaim(func(c *driver.Claimed) { c.Event.OccurredAt = c.Event.OccurredAt.Round(time.Second) })},
		{"fields are cut", "every field takes its maximum length in characters", false, eachClaim(func(c *driver.Claimed) {
			c.Event.TenantID = c.Event.TenantID[:min(len(c.Event.TenantID), 60)]
		})},
		{"receivers share memory", "stored events share no memory with callers or receivers", false, func(b *broken) {
			shared := map[string]outbox.Event{}
			b.claim = func(ctx context.Context, req driver.ClaimRequest) ([]driver.Claimed, error) {
				cs, err := b.Store.Claim(ctx, req)
				for i, c := range cs {
					if _, ok := shared[c.EventID]; !ok {
						shared[c.EventID] = c.Event
					}
					cs[i].Event = shared[c.EventID]
				}
				return cs, err
			}
		}},
	}
}

// asLatest settles under the latest claim of the row, as if the fence did not
// look at what the outcome says.
func asLatest(change func(o *driver.Outcome, latest driver.Held), anyOwner bool) func(*broken) {
	return func(b *broken) {
		b.settle = func(ctx context.Context, owner driver.Owner, outcomes []driver.Outcome, keep bool) (stale []driver.Held, err error) {
			for _, o := range outcomes {
				sent := o.Held
				b.mu.Lock()
				if latest, ok := b.last[o.EventID]; ok && o.ClaimNo > 0 {
					change(&o, latest)
					if anyOwner {
						owner = b.own[o.EventID]
					}
				}
				b.mu.Unlock()
				lost, err := b.Store.Settle(ctx, owner, []driver.Outcome{o}, keep)
				if err != nil {
					return nil, err
				}
				if len(lost) > 0 {
					stale = append(stale, sent)
				}
			}
			return stale, nil
		}
	}
}

// trustsLocators settles what was claimed at the place that the outcome says.
func trustsLocators(b *broken) {
	claimed := []driver.Held{{}}
	b.claim = func(ctx context.Context, req driver.ClaimRequest) ([]driver.Claimed, error) {
		cs, err := b.Store.Claim(ctx, req)
		for i := range cs {
			cs[i].Token = uint64(len(claimed))
			claimed = append(claimed, cs[i].Held)
		}
		return cs, err
	}
	b.settle = func(ctx context.Context, owner driver.Owner, outcomes []driver.Outcome, keep bool) ([]driver.Held, error) {
		outcomes = slices.Clone(outcomes)
		for i, o := range outcomes {
			if o.Token > 0 && o.Token < uint64(len(claimed)) {
				outcomes[i].Held = claimed[o.Token]
			}
		}
		return b.Store.Settle(ctx, owner, outcomes, keep)
	}
}

func fenceDefects() []defect {
	return []defect{
		{"the fence ignores the number", "an outcome repeated after a new claim by its owner changes nothing", true,
			asLatest(func(o *driver.Outcome, l driver.Held) { o.ClaimNo = l.ClaimNo }, false)},
		{"the fence ignores the owner", "an outcome counts only under its event, seq, number and owner", true,
			asLatest(func(*driver.Outcome, driver.Held) {}, true)},
		{"the fence ignores the seq", "an outcome repeated after the id was reused changes nothing", false,
			asLatest(func(o *driver.Outcome, l driver.Held) { o.Seq = l.Seq }, false)},
		{"the fence ignores everything but the event", "a late outcome of a claim that was taken over is reported as stale", true,
			asLatest(func(o *driver.Outcome, l driver.Held) { o.Held = l }, true)},
		{"stale outcomes are not reported", "an outcome sent twice is applied once", true, func(b *broken) {
			b.settle = func(ctx context.Context, owner driver.Owner, outcomes []driver.Outcome, keep bool) ([]driver.Held, error) {
				_, err := b.Store.Settle(ctx, owner, outcomes, keep)
				return nil, err
			}
		}},
		{"a settle answers by event id", "two claims of one row in one call are answered for each", true, func(b *broken) {
			b.settle = func(ctx context.Context, owner driver.Owner, outcomes []driver.Outcome, keep bool) ([]driver.Held, error) {
				stale, err := b.Store.Settle(ctx, owner, outcomes, keep)
				gone := map[string]bool{}
				for _, o := range outcomes {
					gone[o.EventID] = gone[o.EventID] || !slices.Contains(stale, o.Held)
				}
				return slices.DeleteFunc(stale, func(h driver.Held) bool { return gone[h.EventID] }), err
			}
		}},
		{"a settle trusts the locator", "the fence decides the same with a stale, wrong or missing token", false, trustsLocators},
		{"a renewal does not renew", "a renewal holds the row for as long as it says", true, func(b *broken) {
			b.renew = func(ctx context.Context, owner driver.Owner, _ time.Duration, rows []driver.Renewal) ([]driver.Held, error) {
				return b.Store.Renew(ctx, owner, -brief, rows)
			}
		}},
		{"a renewal hides what is lost", "a renewal reports lost claims, and changes none of them", true, func(b *broken) {
			b.renew = func(ctx context.Context, owner driver.Owner, lease time.Duration, rows []driver.Renewal) ([]driver.Held, error) {
				_, err := b.Store.Renew(ctx, owner, lease, rows)
				return nil, err
			}
		}},
		{"a renewal forgets the attempt", "a renewal writes the attempt as an absolute number", true, func(b *broken) {
			b.renew = func(ctx context.Context, owner driver.Owner, lease time.Duration, rows []driver.Renewal) ([]driver.Held, error) {
				rows = slices.Clone(rows)
				for i := range rows {
					rows[i].Attempts = 0
				}
				return b.Store.Renew(ctx, owner, lease, rows)
			}
		}},
		{"nothing can be taken by name", "a row can be taken by name once, despite its head start", true, func(b *broken) {
			b.take = func(context.Context, driver.Owner, time.Duration, []driver.Held) ([]driver.Held, error) {
				return nil, nil
			}
		}},
		{"confirm confirms everything", "confirm knows what was committed and what was not", true, func(b *broken) {
			b.confirm = func(_ context.Context, rows []driver.Held) ([]driver.Held, error) { return rows, nil }
		}},
	}
}
