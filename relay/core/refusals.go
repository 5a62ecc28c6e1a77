package core

import (
	"time"

	"github.com/sendoff-go/outbox"
)

// refusals remembers events that were refused a hot slot: later ones of their
// key must not overtake them. Each is kept until the poller has the event, but
// no longer than the head start.
type refusals struct {
	byID  map[string]refusal
	keys  map[Key]refused
	order fifo[refusal]
}

type refusal struct {
	key  Key
	id   string
	from time.Time
}

// refused holds the refusals of one key.
type refused struct {
	n int
	// first is the smallest seq of those that were committed; 0: none.
	first int64
}

func newRefusals() refusals {
	return refusals{byID: map[string]refusal{}, keys: map[Key]refused{}}
}

// maxRefusals bounds what is remembered; beyond it, every event with a key is
// refused.
const maxRefusals = 10_000

func (r *refusals) has(e *outbox.Event) bool {
	return e.AggregateID != "" && (r.keys[keyOf(e)].n > 0 || len(r.byID) >= maxRefusals)
}

// hasEarlier reports whether an event of the same key was refused, committed,
// and written before it.
func (r *refusals) hasEarlier(e *outbox.Event, seq int64) bool {
	if e.AggregateID == "" {
		return false
	}
	first := r.keys[keyOf(e)].first
	return first > 0 && first < seq
}

// add remembers an event, whose seq is known once it is committed.
func (r *refusals) add(e *outbox.Event, seq int64, now time.Time) {
	if e.AggregateID == "" || e.Delayed() || len(r.byID) >= maxRefusals {
		return
	}
	f := refusal{keyOf(e), e.ID, now}
	r.forget(f.id)
	r.byID[f.id] = f
	of := r.keys[f.key]
	if of.n++; seq > 0 && (of.first == 0 || seq < of.first) {
		of.first = seq
	}
	r.keys[f.key] = of
	r.order.push(f)
}

// forget drops a refusal. When the poller has the event, the key's line keeps
// the order from there on.
func (r *refusals) forget(id string) {
	f, ok := r.byID[id]
	if !ok {
		return
	}
	delete(r.byID, id)
	of := r.keys[f.key]
	if of.n--; of.n == 0 {
		delete(r.keys, f.key)
	} else {
		r.keys[f.key] = of
	}
}

func (r *refusals) expire(now time.Time, headStart time.Duration) {
	r.order.tidy(len(r.byID), func(old refusal) bool { return r.byID[old.id] != old })
	for r.order.len() > 0 {
		first := r.order.front()
		if r.byID[first.id] == first {
			if Elapsed(first.from, now) <= headStart {
				return
			}
			r.forget(first.id)
		}
		r.order.pop()
	}
}
