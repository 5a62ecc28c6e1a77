package core

import "time"

// lease is how long an event is held, counted in the process from before the
// statement was sent.
type lease struct {
	from   time.Time
	length time.Duration
	// locked is when another session was found to have locked the row; zero if
	// none was. Nobody can claim such a row.
	locked time.Time
}

// left is what remains of the lease.
func (l lease) left(now time.Time) time.Duration { return l.length - Elapsed(l.from, now) }

// due reports whether a third of the lease is used.
func (l lease) due(now time.Time) bool { return l.left(now) <= l.length*2/3 }

// lock notes when another session was found to have locked the row.
func (l *lease) lock(at time.Time) { l.locked = at }

// Elapsed is the larger of the times by the monotonic and by the wall clock:
// the first stands still while the machine is suspended, the second can be set
// back.
func Elapsed(from, now time.Time) time.Duration {
	return max(now.Sub(from), now.Round(0).Sub(from.Round(0)))
}

// book is every event in memory, in a deterministic order.
type book struct {
	byID  map[string]*Item
	items []*Item
}

func newBook() book { return book{byID: map[string]*Item{}} }

func (b *book) add(it *Item) {
	it.index = len(b.items)
	b.items = append(b.items, it)
	b.byID[it.held.EventID] = it
}

// remove returns false if the book has another copy of the event, or none.
func (b *book) remove(it *Item) bool {
	if b.byID[it.held.EventID] != it {
		return false
	}
	delete(b.byID, it.held.EventID)
	last := len(b.items) - 1
	b.items[it.index] = b.items[last]
	b.items[it.index].index = it.index
	b.items[last] = nil
	b.items = b.items[:last]
	return true
}
