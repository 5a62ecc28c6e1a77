package core

import (
	"slices"
	"time"
)

// An outcome whose statement ends the connection, each time, looks like an outage of
// the database. After so many tries of a batch there is doubt: single outcomes go
// first, one of them for each try, until one is written. Then the database is
// available, and what fails again is to blame.
const maxDowns = 3

// down notes that the database was unavailable for a batch, and reports whether the
// batch is to blame: another one was written meanwhile. Its halves need that again,
// since an outage may begin later.
func (u *unsettled) down(b *Batch) (guilty bool) {
	if b.downs == 0 {
		b.seen = u.wrote
	}
	b.downs++
	if guilty = b.downs > maxDowns && u.wrote > b.seen; guilty {
		b.seen = u.wrote
	}
	return guilty
}

// doubtful reports whether it may be the batch, and not the database.
func (u *unsettled) doubtful(b *Batch) bool { return b.downs >= maxDowns && b.seen == u.wrote }

// sample removes one outcome from a doubtful batch, to be sent alone.
func (b *Batch) sample(now time.Time) *Batch {
	one := &Batch{Items: b.Items[:1:1], Repeated: b.Repeated, apart: b.apart, downs: b.downs, seen: b.seen, wait: b.wait, from: b}
	b.Items = b.Items[1:]
	b.at = now.Add(b.wait.Last())
	return one
}

// join adds a doubtful batch to another one, if there is one with room, at its end:
// each outcome has its turn to go alone, and in an outage they take one statement.
func (u *unsettled) join(b *Batch) bool {
	for _, other := range u.again {
		if u.doubtful(b) && u.doubtful(other) && len(b.Items)+len(other.Items) <= u.cfg.SettleBatch {
			other.Items = append(other.Items, b.Items...)
			other.Repeated, other.at, other.wait = true, b.at, b.wait
			return true
		}
	}
	return false
}

// rejoin puts a sample that failed back at the end of its batch, if that still waits
// apart and there is still doubt. One that is refused stays alone: it may be given up.
func (u *unsettled) rejoin(b *Batch) bool {
	from := b.from
	if b.from = nil; from == nil || b.refused > 0 || !u.doubtful(b) || !slices.Contains(u.apart, from) {
		return false
	}
	from.Items = append(from.Items, b.Items...)
	from.Repeated, from.wait = true, b.wait
	return true
}
