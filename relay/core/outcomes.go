package core

import (
	"slices"
	"time"
)

// outcomes are the outcomes not yet written.
type outcomes struct {
	cfg   *Config
	fresh []*Item // in the order of arrival
	since time.Time
	again []*Batch // batches whose statement failed: they go first
	apart []*Batch // batches that hold up others: locked rows, refused outcomes, slow ones
	took  time.Duration
	hurry bool // a caller waits for the end: nothing more will join
}

// Batch holds the outcomes of one statement.
type Batch struct {
	Items []*Item
	// Repeated: it was sent before, and may have been executed.
	Repeated bool

	apart   bool
	refused int
	at      time.Time // send not before
	wait    Backoff
}

// add adds an outcome, and returns which loops then have work.
func (o *outcomes) add(it *Item, now time.Time) (work Loops) {
	if len(o.fresh) == 0 {
		o.since, work = now, SettleLoop
	}
	o.fresh = append(o.fresh, it)
	if len(o.fresh) >= o.cfg.SettleBatch {
		work = SettleLoop | BesideLoop
	}
	return work
}

// maxLinger bounds how long outcomes wait on a database that is slow to write.
const maxLinger = 50 * time.Millisecond

// linger is how long an outcome waits for others. A statement costs much more
// than a row in it, so the wait grows with what the last one took: then
// statements that are not full take a tenth of the time at most.
func (o *outcomes) linger() time.Duration {
	if o.hurry {
		return 0
	}
	return max(o.cfg.SettleLinger, min(10*o.took, maxLinger))
}

// next removes the next batch, or returns how long to wait for one. With full,
// it returns only a full batch.
func (o *outcomes) next(now time.Time, full bool) (*Batch, time.Duration) {
	if len(o.again) > 0 {
		b := o.again[0]
		if left := b.at.Sub(now); left > 0 {
			return nil, left
		}
		o.again = slices.Delete(o.again, 0, 1)
		return b, 0
	}
	n := min(len(o.fresh), o.cfg.SettleBatch)
	switch left := o.since.Add(o.linger()).Sub(now); {
	case n == o.cfg.SettleBatch:
	case n == 0 || full:
		return nil, time.Hour
	case left > 0:
		return nil, left
	}
	b := &Batch{Items: slices.Clone(o.fresh[:n])}
	o.fresh = slices.Delete(o.fresh, 0, n)
	o.since = now
	return b, 0
}

// nextApart removes the next batch of those that hold up others.
func (o *outcomes) nextApart(now time.Time) (*Batch, time.Duration) {
	wait := time.Hour
	for i, b := range o.apart {
		left := b.at.Sub(now)
		if left <= 0 {
			o.apart = slices.Delete(o.apart, i, i+1)
			return b, 0
		}
		wait = min(wait, left)
	}
	return nil, wait
}

// later keeps a batch for its next try, and returns which loop then has work. A
// batch that holds up others waits apart from them; one that waits for the
// database goes first.
func (o *outcomes) later(b *Batch, now time.Time) (work Loops) {
	b.at = now.Add(b.wait.Next())
	if b.apart || b.refused > 0 {
		b.apart = true
		o.apart = append(o.apart, b)
		return ApartLoop
	}
	o.again = append(o.again, b)
	return SettleLoop
}

// halves divides a failed batch, to find the outcome that is to blame.
func (b *Batch) halves() []*Batch {
	half := (len(b.Items) + 1) / 2
	parts := make([]*Batch, 0, 2)
	for _, items := range [][]*Item{b.Items[:half], b.Items[half:]} {
		parts = append(parts, &Batch{Items: items, Repeated: true, apart: b.apart || b.refused > 0, refused: b.refused, wait: b.wait})
	}
	return parts
}
