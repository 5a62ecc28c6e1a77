package core

import "time"

// Batch holds the outcomes of one statement.
type Batch struct {
	Items []*Item
	// Repeated: it was sent before, and may have been executed.
	Repeated bool

	apart   bool
	refused int
	// stubborn: it failed and cannot be divided, or its rows are locked. It may fail again
	// and again.
	stubborn bool
	downs    int       // how often the database was unavailable for it
	failed   bool      // it was not written in time, or the database was unavailable
	seen     int       // statements that had been written when that happened first
	at       time.Time // send not before
	wait     Backoff
}

// with is a batch of other outcomes with the same history.
func (b *Batch) with(items []*Item) *Batch {
	return &Batch{
		Items: items, Repeated: b.Repeated, apart: b.apart || b.refused > 0, refused: b.refused,
		downs: b.downs, failed: b.failed, seen: b.seen, wait: b.wait,
	}
}

// class returns the class of all its outcomes, or false if they are of several.
func (b *Batch) class() (c class, one bool) {
	c = classOf(b.Items[0])
	for _, it := range b.Items[1:] {
		if classOf(it) != c {
			return class{}, false
		}
	}
	return c, true
}

// parts divides a failed batch, to find the outcome that is to blame: by class first.
func (b *Batch) parts() (parts []*Batch) {
	if _, one := b.class(); one {
		half := (len(b.Items) + 1) / 2
		return []*Batch{b.with(b.Items[:half:half]), b.with(b.Items[half:])}
	}
	byClass := map[class]*Batch{}
	for _, it := range b.Items {
		c := classOf(it)
		if byClass[c] == nil {
			byClass[c] = b.with(nil)
			parts = append(parts, byClass[c])
		}
		byClass[c].Items = append(byClass[c].Items, it)
	}
	return parts
}

// remove takes one outcome out of the batch, into a batch of its own.
func (b *Batch) remove(it *Item) *Batch {
	kept := make([]*Item, 0, len(b.Items)-1)
	for _, other := range b.Items {
		if other != it {
			kept = append(kept, other)
		}
	}
	b.Items = kept
	one := b.with([]*Item{it})
	if len(kept) == 0 {
		return one
	}
	one.refused = 0 // it was not refused alone
	return one
}
