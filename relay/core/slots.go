package core

import "time"

// slots are the hot places of transactions that are still open.
type slots struct {
	load  *load
	byID  map[string]slot
	order fifo[slot] // by time; those that are over are passed over
}

type slot struct {
	it    *Item
	since time.Time
}

func newSlots(load *load) slots { return slots{load: load, byID: map[string]slot{}} }

// reserve keeps a place for an event that is about to be written.
func (s *slots) reserve(it *Item, now time.Time) {
	id := it.held.EventID
	s.free(id, now) // of a write that was rolled back to a savepoint
	it.lane.reserved++
	s.load.weigh(it.lane, it.size)
	s.byID[id] = slot{it, now}
	s.order.push(slot{it, now})
}

// free returns what a slot was reserved for by then, or nil if the slot is
// gone. A later one belongs to another write of the same id.
func (s *slots) free(id string, by time.Time) *Item {
	got, ok := s.byID[id]
	if !ok || got.since.After(by) {
		return nil
	}
	delete(s.byID, id)
	got.it.lane.reserved--
	s.load.weigh(got.it.lane, -got.it.size)
	return got.it
}

// expire frees the slots of transactions that outlast the head start.
func (s *slots) expire(now time.Time, headStart time.Duration) {
	s.order.tidy(len(s.byID), func(old slot) bool { return s.byID[old.it.held.EventID] != old })
	for s.order.len() > 0 {
		first := s.order.front()
		id := first.it.held.EventID
		if s.byID[id] == first { // not over already
			if Elapsed(first.since, now) <= headStart {
				return
			}
			s.free(id, now)
		}
		s.order.pop()
	}
}
