package core

import (
	"slices"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// unsettled are the outcomes not yet written.
type unsettled struct {
	cfg   *Config
	fresh []*Item // in the order of arrival
	since time.Time
	again []*Batch // for which the database was unavailable: they go first, unless there is doubt
	apart []*Batch // which hold up others: locked rows, outcomes that are refused, slow, or end the connection
	wrote int      // written batches
	took  time.Duration
	hurry bool // a caller waits for the end: nothing more will join
	// counts are all outcomes so far, by kind.
	counts [5]int
}

// Batch holds the outcomes of one statement.
type Batch struct {
	Items []*Item
	// Repeated: it was sent before, and may have been executed.
	Repeated bool

	apart   bool
	refused int
	downs   int       // how often the database was unavailable for it
	seen    int       // batches that had been written at the first time
	at      time.Time // send not before
	wait    Backoff
	from    *Batch // of which it is a sample, while that waits apart
}

// add adds an outcome, and returns which loops then have work.
func (u *unsettled) add(it *Item, now time.Time) (work Loops) {
	u.counts[it.outcome.Kind]++
	if len(u.fresh) == 0 {
		u.since, work = now, SettleLoop
	}
	u.fresh = append(u.fresh, it)
	if len(u.fresh) >= u.cfg.SettleBatch {
		work = SettleLoop | BesideLoop
	}
	return work
}

// uncount takes back the count of an outcome that is sent again, or was counted before.
func (u *unsettled) uncount(kind driver.OutcomeKind) { u.counts[kind]-- }

func (u *unsettled) setHurry(hurry bool) { u.hurry = hurry }

// written learns how long a statement took.
func (u *unsettled) written(took time.Duration) {
	u.wrote++
	u.took = took
	for _, b := range u.again { // the database is available
		b.at = time.Time{}
	}
}

// maxLinger bounds how long outcomes wait on a database that is slow to write.
const maxLinger = 50 * time.Millisecond

// linger is how long an outcome waits for others. A statement costs much more
// than a row in it, so the wait grows with what the last one took: then
// statements that are not full take a tenth of the time at most.
func (u *unsettled) linger() time.Duration {
	if u.hurry {
		return 0
	}
	return max(u.cfg.SettleLinger, min(10*u.took, maxLinger))
}

// next removes the next batch, or returns how long to wait for one. With full,
// it returns only a full batch.
func (u *unsettled) next(now time.Time, full bool) (*Batch, time.Duration) {
	if len(u.again) == 0 {
		return u.nextFresh(now, full)
	}
	b := u.again[0]
	left := b.at.Sub(now)
	switch {
	case left <= 0 && u.doubtful(b) && len(b.Items) > 1:
		u.again = append(slices.Delete(u.again, 0, 1), b) // the others have their turn
		return b.sample(now), 0
	case left <= 0:
		u.again = slices.Delete(u.again, 0, 1)
		return b, 0
	case len(u.again) > 1 || b.downs < maxDowns:
		return nil, left
	}
	other, wait := u.nextFresh(now, full)
	return other, min(wait, left)
}

// nextFresh removes the next batch of those that were not sent yet.
func (u *unsettled) nextFresh(now time.Time, full bool) (*Batch, time.Duration) {
	n := min(len(u.fresh), u.cfg.SettleBatch)
	switch left := u.since.Add(u.linger()).Sub(now); {
	case n == u.cfg.SettleBatch:
	case n == 0 || full:
		return nil, time.Hour
	case left > 0:
		return nil, left
	}
	b := &Batch{Items: slices.Clone(u.fresh[:n])}
	u.fresh = slices.Delete(u.fresh, 0, n)
	u.since = now
	return b, 0
}

// nextApart removes the next batch of those that hold up others.
func (u *unsettled) nextApart(now time.Time) (*Batch, time.Duration) {
	wait := time.Hour
	for i, b := range u.apart {
		left := b.at.Sub(now)
		switch {
		case left <= 0 && u.doubtful(b) && len(b.Items) > 1:
			return b.sample(now), 0
		case left <= 0:
			u.apart = slices.Delete(u.apart, i, i+1)
			return b, 0
		}
		wait = min(wait, left)
	}
	return nil, wait
}

// later keeps a batch for its next try, and returns which loop then has work. A
// batch that holds up others waits apart from them.
func (u *unsettled) later(b *Batch, now time.Time) (work Loops) {
	b.at = now.Add(b.wait.Next())
	if b.apart || b.refused > 0 {
		b.apart = true
		if !u.rejoin(b) {
			u.apart = append(u.apart, b)
		}
		return ApartLoop
	}
	if !u.join(b) {
		u.again = append(u.again, b)
	}
	return SettleLoop
}

// halves divides a failed batch, to find the outcome that is to blame.
func (b *Batch) halves() []*Batch {
	half := (len(b.Items) + 1) / 2
	parts := make([]*Batch, 0, 2)
	for _, items := range [][]*Item{b.Items[:half:half], b.Items[half:]} {
		parts = append(parts, &Batch{Items: items, Repeated: true, apart: b.apart || b.refused > 0, refused: b.refused, downs: b.downs, seen: b.seen, wait: b.wait})
	}
	return parts
}
