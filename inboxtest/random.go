package inboxtest

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func randomLaw[Tx, OracleTx any](oracle Open[OracleTx]) Law[Tx] {
	return Law[Tx]{
		Name:    "at random, with redeliveries, rollbacks and consumers at once, the ledger answers as the model does",
		Why:     "the laws above cover only the cases that somebody thought of",
		Applies: func(s Subject[Tx]) bool { return s.Age != nil },
		Check: func(t testing.TB, s Subject[Tx]) {
			model := oracle(t).withDefaults()
			round := 0
			rapid.Check(t, func(rt *rapid.T) {
				round++ // also while shrinking: every round has its own names
				m := &machine{
					ctx:    t.Context(),
					groups: []string{fmt.Sprintf("r%d-a", round), fmt.Sprintf("r%d-b", round)},
					ledger: newPlayer(t, s),
					model:  newPlayer(t, model),
				}
				rt.Repeat(map[string]func(*rapid.T){
					"consume": m.consume, "join": m.join, "at once": m.atOnce, "forget": m.forget, "look": m.look,
				})
				m.look(rt)
			})
		},
	}
}

// machine drives both sides with the same deliveries. It does not depend on
// time: it ages the entries that should be old.
type machine struct {
	ctx           context.Context
	groups        []string
	ledger, model side
}

// side is one of the two ledgers, with its consumers.
type side interface {
	// consume delivers one batch and returns what the handler got.
	consume(ctx context.Context, d delivery) ([]string, error)
	// join consumes in the caller's transaction.
	join(ctx context.Context, d delivery) ([]string, error)
	// together delivers batches at once, or one after the other.
	together(ctx context.Context, ds []delivery, atOnce bool) []error
	forget(ctx context.Context, group string, ids []string) (int, error)
	known(ctx context.Context, group string, ids []string) ([]bool, error)
	effects(ctx context.Context, group string) (map[string]int, error)
}

// delivery is one batch and what becomes of it.
type delivery struct {
	group string
	ids   []string // some of them more than once
	fails bool
	// undo rolls back the first id with a savepoint.
	undo bool
}

var ids = []string{"a", "B", "b", "c", "d", "e"}

func (m *machine) draw(t *rapid.T, label string) delivery {
	return delivery{
		group: rapid.SampledFrom(m.groups).Draw(t, label+" group"),
		ids:   rapid.SliceOfN(rapid.SampledFrom(ids), 1, 6).Draw(t, label+" ids"),
		fails: rapid.IntRange(0, 2).Draw(t, label+" fails") == 0,
	}
}

func (m *machine) same(t *rapid.T, what string, got, want any, err, wantErr error) {
	t.Helper()
	planned := errors.Is(err, errPlanned) == errors.Is(wantErr, errPlanned) && (err == nil) == (wantErr == nil)
	if fmt.Sprint(got) != fmt.Sprint(want) || !planned {
		t.Fatalf("%s: the ledger says %v, error %v; the model says %v, error %v", what, got, err, want, wantErr)
	}
}

func (m *machine) consume(t *rapid.T) {
	d := m.draw(t, "consume")
	want, wantErr := m.model.consume(m.ctx, d)
	got, err := m.ledger.consume(m.ctx, d)
	m.same(t, fmt.Sprintf("consume %+v", d), got, want, err, wantErr)
}

func (m *machine) join(t *rapid.T) {
	d := m.draw(t, "join")
	d.undo = rapid.Bool().Draw(t, "undo")
	want, wantErr := m.model.join(m.ctx, d)
	got, err := m.ledger.join(m.ctx, d)
	m.same(t, fmt.Sprintf("join %+v", d), got, want, err, wantErr)
}

// atOnce compares the final state: which of the failing deliveries had
// something to fail on depends on who came first.
func (m *machine) atOnce(t *rapid.T) {
	ds := make([]delivery, rapid.IntRange(2, 4).Draw(t, "consumers"))
	for i := range ds {
		ds[i] = m.draw(t, fmt.Sprint("consumer ", i))
	}
	for i, err := range m.ledger.together(m.ctx, ds, true) {
		if err != nil && (!ds[i].fails || !errors.Is(err, errPlanned)) {
			t.Fatalf("%+v: error %v", ds[i], err)
		}
	}
	m.model.together(m.ctx, ds, false)
}

func (m *machine) forget(t *rapid.T) {
	group := rapid.SampledFrom(m.groups).Draw(t, "group")
	old := rapid.SliceOfNDistinct(rapid.SampledFrom(ids), 1, 4, rapid.ID).Draw(t, "old")
	want, wantErr := m.model.forget(m.ctx, group, old)
	got, err := m.ledger.forget(m.ctx, group, old)
	m.same(t, fmt.Sprintf("forget %v of %s", old, group), got, want, err, wantErr)
}

// look compares everything that can be seen.
func (m *machine) look(t *rapid.T) {
	for _, group := range m.groups {
		want, wantErr := m.model.known(m.ctx, group, ids)
		got, err := m.ledger.known(m.ctx, group, ids)
		m.same(t, "known in "+group, got, want, err, wantErr)
		wantEffects, wantErr := m.model.effects(m.ctx, group)
		effects, err := m.ledger.effects(m.ctx, group)
		m.same(t, "effects in "+group, effects, wantEffects, err, wantErr)
	}
}

// longAgo is how far entries are aged to be forgotten.
const longAgo = 1000 * time.Hour
