package storetest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

func crowdLaws[Tx any]() []Law[Tx] {
	return []Law[Tx]{{
		Name: "concurrent clients lose no row and settle no claim twice",
		Why: "instances come, stall and go while others work on the same rows, and how they interfere " +
			"is not a case that anybody would think of",
		Applies: func(s Subject[Tx]) bool { return s.Expire != nil },
		Check:   check(crowdAtOnce[Tx]),
	}}
}

func crowdAtOnce[Tx any](k *kit[Tx]) {
	const members, steps = 5, 60
	c := &crowd{rows: map[string]*history{}}
	seed := rand.Uint64()
	k.run(members, func(i int, s Store[Tx]) {
		m := &member[Tx]{kit: k, crowd: c, store: s, owner: driver.NewOwner(fmt.Sprint(i)), dice: rand.New(rand.NewPCG(seed, uint64(i)))}
		for step := 0; step < steps && !k.Failed(); step++ {
			if err := m.step(); err != nil {
				k.Errorf("%v", err)
			}
		}
	}).Wait()
	if k.Failed() {
		return
	}
	for id, h := range c.rows {
		if err := h.explain(); err != nil { // the last claim would explain any refusal
			k.Fatalf("event %s: %v; claims %v, outcomes %v", id, err, h.claims, h.ends)
		}
		h.expired++
	}
	k.must(k.Expire(k.ctx, c.ids...))
	last := &member[Tx]{kit: k, crowd: c, store: k.Store, owner: driver.NewOwner("last"), dice: rand.New(rand.NewPCG(seed, members))}
	k.must(last.claim(all))
	k.must(last.send(last.holds, func() driver.OutcomeKind { return driver.Done }))
	k.audit(c)
}

// crowd is what its members share.
type crowd struct {
	mu   sync.Mutex
	rows map[string]*history
	ids  []string
	hot  []grip // of rows with a head start, for all members
}

// grip is a claim that a member believes it holds.
type grip struct {
	driver.Held
	attempts int
}

func (c *crowd) change(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f()
}

// member is one client of a crowd, with its own owner.
type member[Tx any] struct {
	*kit[Tx]
	*crowd
	store Store[Tx]
	owner driver.Owner
	dice  *rand.Rand
	holds []grip
}

func (m *member[Tx]) step() error {
	switch n := m.dice.IntN(20); {
	case n < 4:
		return m.write()
	case n < 8:
		return m.claim(1 + m.dice.IntN(4))
	case n < 9:
		return m.take()
	case n < 11:
		return m.renew()
	case n < 15:
		return m.send(m.pick(), m.outcome)
	case n < 16:
		m.holds = nil // as if it had died and another had its name
		return nil
	case n < 18:
		return m.expire()
	default:
		return m.replay() // nothing, if the store has no letters
	}
}

func (m *member[Tx]) outcome() driver.OutcomeKind {
	kinds := []driver.OutcomeKind{driver.Done, driver.Retry, driver.Retry, driver.Release, driver.Dead}
	return kinds[m.dice.IntN(len(kinds))]
}

// some are at most n of a list, in any order.
func some[T any](dice *rand.Rand, list []T, n int) []T {
	list = slices.Clone(list)
	dice.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list[:min(n, len(list))]
}

// pick returns a few of the member's claims, and at times one of the head
// starts that all share. Most of those are over, and a store may get the held
// ones wrong only if it is asked for nothing else.
func (m *member[Tx]) pick() []grip {
	var hot []grip
	if len(m.holds) == 0 || m.dice.IntN(3) == 0 {
		m.change(func() { hot = some(m.dice, m.hot, 1) })
	}
	return append(some(m.dice, m.holds, 5), hot...)
}

func (m *member[Tx]) write() error {
	p := plan{headStart: m.dice.IntN(2) == 0, commits: true}
	m.change(func() {
		for range 1 + m.dice.IntN(3) {
			e := event([]string{"a", "b"}[m.dice.IntN(2)])
			e.ID = outbox.NewID()
			p.events = append(p.events, e)
			m.ids = append(m.ids, e.ID)
			m.rows[e.ID] = newHistory(p.headStart)
		}
	})
	ws, _, err := (&player[Tx]{Store: m.store}).writeAll(m.ctx, p)
	if err != nil {
		return fmt.Errorf("write: %w", err)
	}
	m.change(func() {
		for _, w := range ws {
			if p.headStart {
				m.hot = append(m.hot, grip{Held: hotHeld(w)})
			}
		}
	})
	return nil
}

func (m *member[Tx]) claim(rows int) error {
	ws := wants("a", "b")
	ws[0].Rows, ws[1].Rows = rows, rows
	cs, err := m.store.Claim(m.ctx, driver.ClaimRequest{Owner: m.owner, Lease: long, Wants: ws})
	if err != nil {
		return fmt.Errorf("claim: %w", err)
	}
	for _, c := range cs {
		m.got(c.Held, claimed{attempts: c.Attempts, recovered: c.Recovered})
	}
	return nil
}

func (m *member[Tx]) take() error {
	var hot []driver.Held
	m.change(func() {
		for _, g := range some(m.dice, m.hot, 3) {
			hot = append(hot, g.Held)
		}
	})
	taken, err := m.store.Take(m.ctx, m.owner, long, hot)
	if err != nil {
		return fmt.Errorf("take: %w", err)
	}
	for _, h := range taken {
		m.got(h, claimed{byName: true})
	}
	return nil
}

func (m *member[Tx]) got(h driver.Held, c claimed) {
	m.holds = append(m.holds, grip{Held: h, attempts: c.attempts})
	m.change(func() {
		r := m.rows[h.EventID]
		if _, known := r.claims[h.ClaimNo]; known {
			m.Errorf("event %s was claimed twice under number %d", h.EventID, h.ClaimNo)
		}
		r.claims[h.ClaimNo] = c
	})
}

// renew extends claims, and settles those reported as lost: a claim lost for a
// renewal is lost for a settle too.
func (m *member[Tx]) renew() error {
	picked := m.pick()
	var rs []driver.Renewal
	for _, g := range picked {
		rs = append(rs, driver.Renewal{Held: g.Held})
	}
	lost, err := m.store.Renew(m.ctx, m.owner, long, rs)
	if _, err := apart(err); err != nil {
		return fmt.Errorf("renew: %w", err)
	}
	m.refused(lost)
	gone := slices.DeleteFunc(picked, func(g grip) bool { return !slices.Contains(lost, g.Held) })
	return m.send(gone, m.outcome)
}

// refused notes claims that the store said were no longer held.
func (m *member[Tx]) refused(hs []driver.Held) {
	m.change(func() {
		for _, h := range hs {
			m.rows[h.EventID].refused = append(m.rows[h.EventID].refused, h.ClaimNo)
		}
	})
}

// over returns the claims that the store has already refused. It is called
// before a settle, since others may use the same head start meanwhile.
func (m *member[Tx]) over(outcomes []driver.Outcome) map[driver.Held]bool {
	over := map[driver.Held]bool{}
	m.change(func() {
		for _, o := range outcomes {
			over[o.Held] = slices.Contains(m.rows[o.EventID].refused, o.ClaimNo)
		}
	})
	return over
}

// send settles claims, some of them twice and some again later.
func (m *member[Tx]) send(gs []grip, kind func() driver.OutcomeKind) error {
	var outcomes []driver.Outcome
	for _, g := range gs {
		o := driver.Outcome{Held: g.Held, Kind: kind(), Attempts: g.attempts, Error: "no"}
		if o.Kind == driver.Retry || o.Kind == driver.Dead {
			o.Attempts++
		}
		outcomes = append(outcomes, o)
	}
	for range 1 + m.dice.IntN(2) {
		over := m.over(outcomes)
		stale, err := m.store.Settle(m.ctx, m.owner, outcomes, true)
		locked, err := apart(err)
		if err != nil {
			return fmt.Errorf("settle: %w", err)
		}
		m.refused(stale)
		m.change(func() {
			for _, o := range outcomes {
				if slices.Contains(stale, o.Held) || slices.Contains(locked, o.Held) {
					continue
				}
				r := m.rows[o.EventID]
				if _, ended := r.ends[o.ClaimNo]; ended {
					m.Errorf("event %s was settled twice under number %d", o.EventID, o.ClaimNo)
				}
				if over[o.Held] {
					m.Errorf("event %s was settled under number %d, which was reported as lost before", o.EventID, o.ClaimNo)
				}
				r.ends[o.ClaimNo] = o.Kind
			}
		})
	}
	if m.dice.IntN(4) > 0 {
		m.holds = slices.DeleteFunc(m.holds, func(g grip) bool { return slices.Contains(gs, g) })
	}
	return nil
}

// expire ends leases. If the harness is a deadlock's victim, it ends none.
func (m *member[Tx]) expire() error {
	var ids []string
	m.change(func() {
		ids = some(m.dice, m.ids, 3)
		for _, id := range ids {
			m.rows[id].expired++
		}
	})
	for _, id := range ids {
		_ = m.Expire(m.ctx, id)
	}
	return nil
}

func (m *member[Tx]) replay() error {
	var ids []string
	m.change(func() { ids = some(m.dice, m.ids, 8) })
	letters, ok := m.store.(driver.DeadLetterStore)
	if !ok {
		return nil
	}
	results, err := letters.ReplayDead(m.ctx, driver.DeadIDs(ids...))
	if err != nil {
		return fmt.Errorf("replay: %w", err)
	}
	m.change(func() {
		for _, r := range results {
			if r.Status == driver.DeadApplied {
				m.rows[r.ID].replayed++
			}
		}
	})
	return nil
}
