package storetest

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

func randomLaw[Tx, OracleTx any](oracle Open[OracleTx]) Law[Tx] {
	return Law[Tx]{
		Name:    "at random, the store answers as the model does",
		Why:     "the other laws are the cases that somebody thought of",
		Applies: func(s Subject[Tx]) bool { return s.Expire != nil },
		Check: func(t testing.TB, s Subject[Tx]) {
			model := oracle(t)
			clients := []side{&player[Tx]{Store: s.Store, expire: s.Expire}}
			for range 2 {
				clients = append(clients, &player[Tx]{Store: s.withDefaults().Client(t), expire: s.Expire})
			}
			round := 0
			rapid.Check(t, func(rt *rapid.T) {
				round++ // also while shrinking: every round has its own names
				m := &machine{
					ctx:     t.Context(),
					ns:      fmt.Sprintf("r%d-", round),
					clients: clients,
					model:   &player[OracleTx]{Store: model.Store, expire: model.Expire},
				}
				defer m.clear(rt)
				actions := map[string]func(*rapid.T){
					"write": m.write, "claim": m.claim, "take": m.take, "renew": m.renew,
					"settle": m.settle, "confirm": m.confirm, "expire": m.expire, "sweep": m.sweep,
					"look": m.look,
				}
				if m.bothHave(DeadLetters) {
					actions["replay"], actions["resolve"], actions["delete"] = m.replay, m.resolve, m.deleteDead
				}
				rt.Repeat(actions)
				m.look(rt)
			})
		},
	}
}

// side is one of the two stores that get the same calls.
type side interface {
	driver.Store
	has(p Power) bool
	letters() driver.DeadLetterStore // if it has the power
	stats() driver.StatsStore        // if it has the power
	writeAll(ctx context.Context, p plan) (ws []outbox.Written, existing []string, err error)
	expireAll(ctx context.Context, ids []string) error
}

// plan is a transaction to be made on both sides.
type plan struct {
	events                     []outbox.Event
	headStart, absent, commits bool
}

type player[Tx any] struct {
	Store[Tx]
	expire func(ctx context.Context, ids ...string) error
}

func (p *player[Tx]) has(power Power) bool {
	return has(Subject[Tx]{Store: p.Store}, power)
}
func (p *player[Tx]) letters() driver.DeadLetterStore { return p.Store.(driver.DeadLetterStore) }
func (p *player[Tx]) stats() driver.StatsStore        { return p.Store.(driver.StatsStore) }

func (p *player[Tx]) expireAll(ctx context.Context, ids []string) error { return p.expire(ctx, ids...) }

func (p *player[Tx]) writeAll(ctx context.Context, pl plan) (ws []outbox.Written, existing []string, err error) {
	hook := &recordingHook{}
	if pl.headStart {
		hook.headStart = long
	}
	w := outbox.NewWriter[Tx](p.Store, outbox.WithCommitHook(hook))
	err = w.InTx(ctx, func(ctx context.Context, tx Tx) (err error) {
		if pl.absent {
			existing, err = w.WriteIfAbsent(ctx, tx, pl.events...)
		} else {
			_, err = w.WriteAll(ctx, tx, pl.events...)
		}
		if err == nil && !pl.commits {
			err = errUndo
		}
		return err
	})
	return hook.committed, existing, err
}

// machine drives both sides, the store through any of several clients. It does
// not depend on time: leases are long, delays are zero, and it ends leases
// explicitly.
type machine struct {
	ctx     context.Context
	ns      string
	clients []side
	model   side
	holds   []hold
	writes  int
}

// bothHave reports whether both sides have the power, so that it can be compared.
func (m *machine) bothHave(p Power) bool { return m.clients[0].has(p) && m.model.has(p) }

// store is the store as one of its clients sees it.
func (m *machine) store(t *rapid.T) side {
	return m.clients[rapid.IntRange(0, len(m.clients)-1).Draw(t, "client")]
}

// hold is a claim that both sides made, held or not. The seqs differ: a
// database may leave gaps.
type hold struct {
	owner        driver.Owner
	store, model driver.Held
}

func (m *machine) ids() []string   { return m.names("id", 6) }
func (m *machine) lanes() []string { return m.names("lane", 2) }

func (m *machine) owner(t *rapid.T) driver.Owner {
	return rapid.SampledFrom([]driver.Owner{"a", "b", "c"}).Draw(t, "owner")
}

func (m *machine) names(what string, n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("%s%s%d", m.ns, what, i)
	}
	return names
}

// some returns a few of the ids, each once.
func (m *machine) some(t *rapid.T) []string {
	return rapid.SliceOfNDistinct(rapid.SampledFrom(m.ids()), 1, 4, rapid.ID).Draw(t, "ids")
}

// claims returns a few of all claims so far, each once; often recent ones,
// which may still be held.
func (m *machine) claims(t *rapid.T) []hold {
	if len(m.holds) == 0 {
		t.Skip("nothing was ever held")
	}
	first := 0
	if rapid.Bool().Draw(t, "recent") {
		first = max(0, len(m.holds)-4)
	}
	picked := rapid.SliceOfNDistinct(rapid.IntRange(first, len(m.holds)-1), 1, 5, rapid.ID).Draw(t, "claims")
	var hs []hold
	for _, i := range picked {
		hs = append(hs, m.holds[i])
	}
	return hs
}

func (m *machine) write(t *rapid.T) {
	p := plan{
		headStart: rapid.Bool().Draw(t, "head start"),
		absent:    rapid.Bool().Draw(t, "if absent"),
		commits:   rapid.IntRange(0, 3).Draw(t, "commits") > 0,
	}
	for _, id := range m.some(t) {
		m.writes++
		p.events = append(p.events, outbox.Event{
			ID:   id,
			Type: rapid.SampledFrom(m.lanes()).Draw(t, "lane"),
			JSON: fmt.Appendf(nil, `{"write": %d}`, m.writes),
		})
	}
	got, gotOld, gotErr := m.store(t).writeAll(m.ctx, p)
	want, wantOld, wantErr := m.model.writeAll(m.ctx, p)
	for _, known := range []error{outbox.ErrDuplicateID, errUndo, nil} {
		if errors.Is(wantErr, known) != errors.Is(gotErr, known) {
			t.Fatalf("writing %+v: error %v, the model says %v", p, gotErr, wantErr)
		}
	}
	same(t, "existing", sorted(gotOld), sorted(wantOld))
	if len(got) != len(want) {
		t.Fatalf("%d events were committed, the model says %d", len(got), len(want))
	}
	for i := range got {
		if got[i].Event.ID != want[i].Event.ID {
			t.Fatalf("committed %s, the model says %s", got[i].Event.ID, want[i].Event.ID)
		}
		m.holds = append(m.holds, hold{owner: m.owner(t), store: hotHeld(got[i]), model: hotHeld(want[i])})
	}
}

func (m *machine) expire(t *rapid.T) {
	ids := m.some(t)
	m.must(t, m.store(t).expireAll(m.ctx, ids))
	m.must(t, m.model.expireAll(m.ctx, ids))
}

func (m *machine) must(t *rapid.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("unexpected error: %v", err)
	}
}

// clear leaves both sides empty for the next round, whatever happened in this.
func (m *machine) clear(t *rapid.T) {
	for _, s := range []side{m.clients[0], m.model} {
		m.must(t, s.expireAll(m.ctx, m.ids()))
		cs, err := s.Claim(m.ctx, driver.ClaimRequest{Owner: "clear", Lease: long, Wants: wants(m.lanes()...)})
		m.must(t, err)
		var outcomes []driver.Outcome
		for _, c := range cs {
			outcomes = append(outcomes, driver.Outcome{Held: c.Held, Kind: driver.Done})
		}
		_, err = s.Settle(m.ctx, "clear", outcomes, false)
		m.must(t, err)
		if s.has(DeadLetters) {
			_, err = s.letters().DeleteDead(m.ctx, driver.DeadIDs(m.ids()...))
			m.must(t, err)
		}
	}
	m.sweep(t)
}
