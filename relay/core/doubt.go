package core

import (
	"slices"
	"time"
)

// An outcome whose statement ends the connection, each time, looks like an outage of
// the database. So after a statement that found no database there is doubt: single
// outcomes go first, one at a time, of each class in turn, until one is written. Then
// the database is available, and what fails again is to blame.
type doubt struct {
	on      bool
	apart   int           // statements in a row that found no database, of outcomes that wait apart
	sampled map[class]int // how many of each class
	wait    Backoff
	at      time.Time // when the next one may go
}

// maxApart is how many of those make a doubt: they failed before while others were written.
const maxApart = 10

func (d *doubt) is() bool { return d.on }

// down notes that a statement found no database, although its batch is not to blame.
func (d *doubt) down(b *Batch, now time.Time) {
	if b.apart {
		d.apart++
	}
	if d.on = d.on || !b.apart || d.apart >= maxApart; d.on {
		d.at = now.Add(d.wait.Next())
	}
}

// guilty notes the same of a batch that is to blame: so many in a row, and nothing
// written between them, are an outage that was interrupted.
func (d *doubt) guilty(now time.Time) {
	if d.apart++; d.apart >= maxApart {
		d.on = true
		d.at = now.Add(d.wait.Next())
	}
}

// pause puts the next sample off.
func (d *doubt) pause(now time.Time) {
	if at := now.Add(d.wait.Last()); at.After(d.at) {
		d.at = at
	}
}

func (d *doubt) end() { *d = doubt{} }

// hurry lets the next sample go at once.
func (d *doubt) hurry() { d.at = time.Time{} }

// take notes that one of the class is sampled.
func (d *doubt) take(c class) {
	if d.sampled == nil {
		d.sampled = map[class]int{}
	}
	d.sampled[c]++
}

// candidate is an outcome that may be sampled, and the batch in which it waits, or nil.
type candidate struct {
	it *Item
	of *Batch
}

// candidates are those of each class, by where they wait: the first of those that wait
// again, the newest of the fresh ones, since many may be alike that came together, and
// the first of those that wait apart.
func (u *unsettled) candidates() map[class]*[3]candidate {
	found := map[class]*[3]candidate{}
	of := func(it *Item) *[3]candidate {
		c := classOf(it)
		if found[c] == nil {
			found[c] = new([3]candidate)
		}
		return found[c]
	}
	first := func(where int, bs []*Batch) {
		for _, b := range bs {
			for _, it := range b.Items {
				if known := of(it); known[where].it == nil {
					known[where] = candidate{it, b}
				}
			}
		}
	}
	first(0, u.again)
	for _, it := range u.fresh {
		of(it)[1] = candidate{it, nil}
	}
	first(2, u.apart)
	return found
}

// sample removes one outcome, to be sent alone: of the class that was sampled least,
// and of each of its places in turn.
func (u *unsettled) sample() *Batch {
	var best candidate
	least := -1
	for c, places := range u.candidates() {
		n := u.doubt.sampled[c]
		for i := range places {
			next := places[(n+i)%len(places)]
			if next.it == nil {
				continue
			}
			if least < 0 || n < least || n == least && next.before(best) {
				best, least = next, n
			}
			break
		}
	}
	if least < 0 {
		return nil
	}
	u.doubt.take(classOf(best.it))
	if best.of == nil {
		u.fresh = slices.DeleteFunc(u.fresh, func(it *Item) bool { return it == best.it })
		return &Batch{Items: []*Item{best.it}}
	}
	one := best.of.remove(best.it)
	u.again, u.apart = behind(u.again, best.of), behind(u.apart, best.of)
	return one
}

// before says which of two candidates of classes that were sampled as often goes first:
// what was never sent, since many classes may have nothing but what cannot be written.
func (c candidate) before(other candidate) bool {
	if fresh := c.of == nil; fresh != (other.of == nil) {
		return fresh
	}
	return c.it.held.Seq < other.it.held.Seq
}

// behind puts a batch behind the others, or drops it if nothing is left of it.
func behind(bs []*Batch, b *Batch) []*Batch {
	if !slices.Contains(bs, b) {
		return bs
	}
	bs = slices.DeleteFunc(bs, func(other *Batch) bool { return other == b })
	if len(b.Items) == 0 {
		return bs
	}
	return append(bs, b)
}

// join adds a sample that failed to another batch with room, at its end: in an outage
// they take one statement when it is over.
func (u *unsettled) join(b *Batch) bool {
	for _, other := range u.again {
		if len(b.Items)+len(other.Items) <= u.cfg.SettleBatch {
			other.Items = append(other.Items, b.Items...)
			other.Repeated, other.failed = other.Repeated || b.Repeated, true
			other.downs = max(other.downs, b.downs)
			return true
		}
	}
	return false
}
