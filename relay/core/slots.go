package core

import "time"

// slots are the hot slots of open transactions.
type slots struct {
	load  *load
	byID  map[string]slot
	order fifo[slot] // by time; those that are over are skipped
}

// slot is one reservation, identified by its id and its time.
type slot struct {
	it    *Item
	since time.Time
}

func newSlots(load *load) slots { return slots{load: load, byID: map[string]slot{}} }

// has reports whether a writer is about to write that event.
func (s *slots) has(id string) bool {
	_, ok := s.byID[id]
	return ok
}

// reserve keeps a slot for an event that is about to be written.
func (s *slots) reserve(it *Item, since time.Time) {
	it.lane.reserve(1)
	s.load.weigh(it.lane, it.size)
	s.byID[it.held.EventID] = slot{it, since}
	s.order.push(slot{it, since})
}

// free returns the event of the slot reserved at that time, or nil if it is
// gone: another write of the same id may have one.
func (s *slots) free(id string, since time.Time) *Item {
	got, ok := s.byID[id]
	if !ok || !got.since.Equal(since) {
		return nil
	}
	delete(s.byID, id)
	got.it.lane.reserve(-1)
	s.load.weigh(got.it.lane, -got.it.size)
	return got.it
}

// expire frees the slots of transactions that outlast the head start, and calls
// expired for each.
func (s *slots) expire(now time.Time, headStart time.Duration, expired func(slot)) {
	s.order.tidy(len(s.byID), func(old slot) bool { return s.byID[old.it.held.EventID] != old })
	for s.order.len() > 0 {
		first := s.order.front()
		id := first.it.held.EventID
		if s.byID[id] == first { // not over already
			if Elapsed(first.since, now) <= headStart {
				return
			}
			s.free(id, first.since)
			expired(first)
		}
		s.order.pop()
	}
}
