package core

import (
	"time"

	"github.com/sendoff-go/outbox"
)

// refusals remembers events that were refused a hot place: those of their key
// that are written after them must not overtake them. Each is kept until the
// poller has the event, but no longer than the head start lasts.
type refusals struct {
	byID  map[string]refusal
	keys  map[Key]int // how many of them are of each key
	order fifo[refusal]
}

type refusal struct {
	key  Key
	id   string
	from time.Time
}

func newRefusals() refusals { return refusals{byID: map[string]refusal{}, keys: map[Key]int{}} }

// maxRefusals bounds what is remembered; beyond it every event with a key is
// refused.
const maxRefusals = 10_000

func (r *refusals) has(e *outbox.Event) bool {
	return r.hasKey(e) || e.AggregateID != "" && len(r.byID) >= maxRefusals
}

// hasKey reports that one of them is of the event's key.
func (r *refusals) hasKey(e *outbox.Event) bool { return e.AggregateID != "" && r.keys[keyOf(e)] > 0 }

func (r *refusals) add(e *outbox.Event, now time.Time) {
	if e.AggregateID == "" || e.Delayed() || len(r.byID) >= maxRefusals {
		return
	}
	f := refusal{keyOf(e), e.ID, now}
	r.forget(f.id)
	r.byID[f.id] = f
	r.keys[f.key]++
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
	if r.keys[f.key]--; r.keys[f.key] == 0 {
		delete(r.keys, f.key)
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
