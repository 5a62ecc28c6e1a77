package storetest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"pgregory.net/rapid"
)

func (m *machine) replay(t *rapid.T) {
	ids := m.some(t)
	got, err := m.store(t).letters().ReplayDead(m.ctx, driver.DeadIDs(ids...))
	m.must(t, err)
	want, err := m.model.letters().ReplayDead(m.ctx, driver.DeadIDs(ids...))
	m.must(t, err)
	same(t, "replayed", results(got), results(want))
}

func (m *machine) deleteDead(t *rapid.T) {
	ids := m.some(t)
	got, err := m.store(t).letters().DeleteDead(m.ctx, driver.DeadIDs(ids...))
	m.must(t, err)
	want, err := m.model.letters().DeleteDead(m.ctx, driver.DeadIDs(ids...))
	m.must(t, err)
	same(t, "deleted", results(got), results(want))
}

// resolve resolves what nobody has resolved yet.
func (m *machine) resolve(t *rapid.T) {
	var ids []string
	for _, id := range m.some(t) {
		if l, found, err := m.model.letters().GetDead(m.ctx, id); err == nil && found && l.ResolvedAt.IsZero() {
			ids = append(ids, id)
		}
	}
	got, err := m.store(t).letters().ResolveDead(m.ctx, driver.DeadIDs(ids...))
	m.must(t, err)
	want, err := m.model.letters().ResolveDead(m.ctx, driver.DeadIDs(ids...))
	m.must(t, err)
	same(t, "resolved", results(got), results(want))
}

// sweep may have to ask again: a coarse clock needs a moment until what was
// just done is older than nothing.
func (m *machine) sweep(t *rapid.T) {
	want, err := m.model.Sweep(m.ctx, 0, all)
	m.must(t, err)
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	store, got := m.store(t), 0
	for range 1000 {
		n, err := store.Sweep(m.ctx, 0, all)
		m.must(t, err)
		if got += n; got >= want {
			break
		}
		<-tick.C
	}
	if got != want {
		t.Fatalf("swept %d, the model says %d", got, want)
	}
}

// look compares everything that can be seen.
func (m *machine) look(t *rapid.T) {
	same(t, "waiting lanes", m.waiting(t, m.store(t)), m.waiting(t, m.model))
	same(t, "known ids", m.known(t, m.store(t)), m.known(t, m.model))
	if m.bothHave(Stats) {
		same(t, "lanes and their counts", m.lanesOf(t, m.store(t)), m.lanesOf(t, m.model))
	}
	if !m.bothHave(DeadLetters) {
		return
	}
	for _, resolved := range []bool{false, true} {
		same(t, fmt.Sprintf("dead letters, resolved: %t", resolved), m.letters(t, m.store(t), resolved), m.letters(t, m.model, resolved))
	}
}

func (m *machine) lanesOf(t *rapid.T, s side) []string {
	st, err := s.stats().Stats(m.ctx)
	m.must(t, err)
	var out []string
	for _, l := range st.Lanes {
		if strings.HasPrefix(l.Lane, m.ns) {
			l.OldestDue = 0
			out = append(out, fmt.Sprintf("%+v", l))
		}
	}
	return append(out, fmt.Sprintf("done: %+v", st.Done))
}

func (m *machine) waiting(t *rapid.T, s side) []string {
	ls, err := s.Lanes(m.ctx, "", 100)
	m.must(t, err)
	var out []string
	for _, l := range ls {
		if slices.Contains(m.lanes(), l.Lane) {
			out = append(out, l.Lane)
		}
	}
	return out
}

// known are the ids that a writer is told are there.
func (m *machine) known(t *rapid.T, s side) []string {
	p := plan{absent: true}
	for _, id := range m.ids() {
		p.events = append(p.events, named(id))
	}
	_, existing, err := s.writeAll(m.ctx, p)
	if !errors.Is(err, errUndo) {
		t.Fatalf("unexpected error: %v", err)
	}
	return sorted(existing)
}

func (m *machine) letters(t *rapid.T, s side, resolved bool) []string {
	ls, _, err := s.letters().ListDead(m.ctx, driver.DeadFilter{Resolved: resolved}, nil, all)
	m.must(t, err)
	var out []string
	for _, l := range ls {
		out = append(out, fmt.Sprintf("%s of %s with %s, number %d, attempts %d, error %q", l.Event.ID, l.Event.Type, l.Event.JSON, l.ClaimNo, l.Attempts, l.Error))
	}
	return sorted(out)
}

func results(rs []driver.DeadResult) []string {
	var out []string
	for _, r := range rs {
		out = append(out, fmt.Sprintf("%s: %s", r.ID, r.Status))
	}
	return sorted(out)
}
