package rates

import (
	"maps"
	"time"

	"github.com/sendoff-go/outbox/admin"
)

// Meter compares each state of an outbox with the previous one. Its zero value is
// ready for use. It is not safe for concurrent use.
type Meter struct {
	last   admin.Status
	at     time.Time // when last was read; zero: there is nothing to compare with
	relays map[string]Relay
}

// Relay is a relay as it was last read. Relays announce themselves less often than
// their state is read, so a step uses the rates between the last two announcements.
type Relay struct {
	admin.Relay
	Rates map[string]Figures // per second, by event type
	Busy  float64            // worker seconds per second

	since time.Time // when it was first read
	heard time.Time // when its latest announcement was first read
}

// known reports whether its rates are known, or will not be: it has fallen silent.
func (r *Relay) known(now time.Time) bool { return r.Rates != nil || now.Sub(r.since) > patience }

// patience is how long a running relay may take to announce itself again. A relay
// that is silent for longer counts as idle, although it is listed for a minute.
const patience = 12 * time.Second

// longest is how long ago a relay may have started, at its first reading, for its
// totals to count as its rates. Those of an older relay say little about now.
const longest = 30 * time.Second

// Add returns what happened between the previous state and this one. ok is false
// for the first state, and for a few seconds after it: until the relays that were
// running have announced themselves again.
func (m *Meter) Add(s admin.Status, now time.Time) (p Step, ok bool) {
	p = Step{At: now, Types: map[string]Figures{}, Waiting: s.Waiting.N + s.Held.N, Dead: s.Dead.N}
	before := !m.at.IsZero()
	if before {
		p.Took = now.Sub(m.at)
	}
	ok = before
	relays := map[string]Relay{}
	for _, in := range s.Relays {
		r := m.relay(in, now)
		relays[in.Owner] = r
		ok = ok && r.known(now)
		for name, f := range r.Rates {
			one := f.Times(p.Took.Seconds())
			of := p.Types[name]
			of.Add(one)
			p.Types[name] = of
			p.Total.Add(one)
		}
		p.Busy += r.Busy * p.Took.Seconds()
	}
	if before && !s.Waiting.More && !m.last.Waiting.More { // held rows that were not counted as such are among them
		n := float64(p.Waiting-(m.last.Waiting.N+m.last.Held.N)) + p.Total.Delivered + p.Total.Dead
		p.Written, p.WrittenKnown = max(n, 0), true
	}
	m.last, m.at, m.relays = s, now, relays
	return p, ok
}

// Skip says that a state could not be read. The next state then starts anew, since
// the gap is not a step.
func (m *Meter) Skip() { m.at = time.Time{} }

// Relays returns the relays of the last state, by owner.
func (m *Meter) Relays() map[string]Relay { return maps.Clone(m.relays) }

// relay returns what is known about a relay after an announcement.
func (m *Meter) relay(in admin.Relay, now time.Time) Relay {
	old, known := m.relays[in.Owner]
	if !known {
		old = Relay{Relay: admin.Relay{StartedAt: in.StartedAt, SeenAt: in.StartedAt}, since: now, heard: now}
		if in.SeenAt.Sub(in.StartedAt) > longest { // what it did before says little about now
			old.Relay = in
		}
	}
	took := in.SeenAt.Sub(old.SeenAt)
	if took <= 0 {
		if old.Rates != nil && now.Sub(old.heard) > patience {
			old.Rates, old.Busy = map[string]Figures{}, 0
		}
		return old
	}
	r := Relay{Relay: in, Rates: map[string]Figures{}, Busy: (in.Figures.Busy - old.Figures.Busy) / took.Seconds(), since: old.since, heard: now}
	before := map[string]admin.TypeFigures{}
	for _, t := range old.Figures.Types {
		before[t.Type] = t
	}
	for _, t := range in.Figures.Types {
		f := between(before[t.Type], t)
		r.Rates[t.Type] = f.Times(1 / took.Seconds())
	}
	return r
}
