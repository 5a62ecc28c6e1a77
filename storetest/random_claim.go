package storetest

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/sendoff-go/outbox/driver"
	"pgregory.net/rapid"
)

func (m *machine) claim(t *rapid.T) {
	lanes := rapid.SliceOfNDistinct(rapid.SampledFrom(m.lanes()), 1, 2, rapid.ID).Draw(t, "lanes")
	req := driver.ClaimRequest{Owner: m.owner(t), Lease: long, Wants: wants(lanes...)}
	got, err := m.store(t).Claim(m.ctx, req)
	m.must(t, err)
	want, err := m.model.Claim(m.ctx, req)
	m.must(t, err)
	if !slices.IsSortedFunc(got, compareClaimed) {
		t.Fatalf("the claims %v are out of order", heldOf(got))
	}
	same(t, "claimed", described(got), described(want))
	byID := map[string]driver.Held{}
	for _, c := range want {
		byID[c.EventID] = c.Held
	}
	for _, c := range got {
		m.holds = append(m.holds, hold{owner: req.Owner, store: c.Held, model: byID[c.EventID]})
	}
}

func compareClaimed(a, b driver.Claimed) int {
	return cmp.Or(cmp.Compare(a.Event.Type, b.Event.Type),
		a.Position.AvailableAt.Compare(b.Position.AvailableAt), cmp.Compare(a.Seq, b.Seq))
}

func described(cs []driver.Claimed) []string {
	var out []string
	for _, c := range cs {
		out = append(out, fmt.Sprintf("%s of %s with %s, number %d, attempts %d, recovered %d, problem %v",
			c.EventID, c.Event.Type, c.Event.JSON, c.ClaimNo, c.Attempts, c.Recovered, c.Problem))
	}
	return sorted(out)
}

func (m *machine) take(t *rapid.T) {
	owner, hs := m.owner(t), m.claims(t)
	storeHeld, modelHeld := held(hs)
	got, err := m.store(t).Take(m.ctx, owner, long, storeHeld)
	m.must(t, err)
	want, err := m.model.Take(m.ctx, owner, long, modelHeld)
	m.must(t, err)
	same(t, "taken", withoutSeq(got), withoutSeq(want))
	for _, g := range got {
		i := slices.IndexFunc(want, func(w driver.Held) bool { return w.EventID == g.EventID })
		m.holds = append(m.holds, hold{owner: owner, store: g, model: want[i]})
	}
}

func (m *machine) renew(t *rapid.T) {
	hs := m.claims(t)
	owner := m.ownerOf(t, hs)
	var store, model []driver.Renewal
	for _, h := range hs {
		attempts := rapid.SampledFrom([]int{0, 0, 5, driver.NoAttempts}).Draw(t, "attempts")
		store = append(store, driver.Renewal{Held: h.store, Attempts: attempts})
		model = append(model, driver.Renewal{Held: h.model, Attempts: attempts})
	}
	got, err := m.store(t).Renew(m.ctx, owner, long, store)
	m.must(t, err)
	want, err := m.model.Renew(m.ctx, owner, long, model)
	m.must(t, err)
	m.sameHolds(t, "lost", hs, got, want)
}

// settle settles claims of any age, so that many are stale.
func (m *machine) settle(t *rapid.T) {
	hs := m.claims(t)
	owner := m.ownerOf(t, hs)
	var store, model []driver.Outcome
	for _, h := range hs {
		o := driver.Outcome{
			Kind:     rapid.SampledFrom([]driver.OutcomeKind{driver.Done, driver.Retry, driver.Dead, driver.Release}).Draw(t, "kind"),
			Attempts: rapid.IntRange(0, 9).Draw(t, "attempts"),
			Error:    rapid.SampledFrom([]string{"", "no", "é🙂'"}).Draw(t, "error"),
		}
		o.Held = h.store
		store = append(store, o)
		o.Held = h.model
		model = append(model, o)
	}
	keep := rapid.Bool().Draw(t, "keep done")
	for range rapid.IntRange(1, 2).Draw(t, "times") { // an answer lost: once more
		got, err := m.store(t).Settle(m.ctx, owner, store, keep)
		m.must(t, err)
		want, err := m.model.Settle(m.ctx, owner, model, keep)
		m.must(t, err)
		m.sameHolds(t, "stale", hs, got, want)
	}
}

func (m *machine) confirm(t *rapid.T) {
	hs := m.claims(t)
	storeHeld, modelHeld := held(hs)
	got, err := m.store(t).Confirm(m.ctx, storeHeld)
	m.must(t, err)
	want, err := m.model.Confirm(m.ctx, modelHeld)
	m.must(t, err)
	m.sameHolds(t, "confirmed", hs, got, want)
}

// ownerOf is usually the owner of the first claim.
func (m *machine) ownerOf(t *rapid.T, hs []hold) driver.Owner {
	if rapid.IntRange(0, 4).Draw(t, "another owner") == 0 {
		return m.owner(t)
	}
	return hs[0].owner
}

func held(hs []hold) (store, model []driver.Held) {
	for _, h := range hs {
		store, model = append(store, h.store), append(model, h.model)
	}
	return store, model
}

// sameHolds checks that both sides speak of the same claims of those sent.
func (m *machine) sameHolds(t *rapid.T, what string, sent []hold, got, want []driver.Held) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %v, the model says %v (sent %+v)", what, got, want, sent)
	}
	for _, h := range sent {
		if slices.Contains(got, h.store) != slices.Contains(want, h.model) {
			t.Fatalf("%s: %v, the model says %v (sent %+v)", what, got, want, sent)
		}
	}
}

func withoutSeq(hs []driver.Held) []string {
	var out []string
	for _, h := range hs {
		out = append(out, fmt.Sprintf("%s number %d", h.EventID, h.ClaimNo))
	}
	return sorted(out)
}

func sorted(s []string) []string { return slices.Sorted(slices.Values(s)) }

func same(t *rapid.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Fatalf("%s:\n%q\nthe model says\n%q", what, got, want)
	}
}
