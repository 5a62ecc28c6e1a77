package core

import (
	"slices"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// unsettled are the outcomes not yet written.
type unsettled struct {
	cfg     *Config
	fresh   []*Item // in the order of arrival
	since   time.Time
	again   []*Batch // for which the database was unavailable: they go first, unless there is doubt
	apart   []*Batch // which hold up others: locked rows, outcomes that are refused, slow, or end the connection
	doubt   doubt
	shunned shunned
	wrote   int // written statements
	took    time.Duration
	sent    writes
	turn    int  // of those that wait apart
	hurry   bool // a caller waits for the end: nothing more will join
	gaveUp  int  // outcomes that are left unwritten
	// endedCold and endedHot are outcomes that are written, or left unwritten.
	endedCold, endedHot int
	// counts are all outcomes so far, by kind.
	counts [5]int
}

// add adds an outcome, and returns which loops then have work.
func (u *unsettled) add(it *Item, now time.Time) (work Loops) {
	u.counts[it.outcome.Kind]++
	if u.divert(it) {
		return ApartLoop | SettleLoop // if there is doubt, it may be the sample
	}
	if len(u.fresh) == 0 {
		u.since, work = now, SettleLoop
	}
	u.fresh = append(u.fresh, it)
	if len(u.fresh) >= u.cfg.SettleBatch {
		work = SettleLoop | BesideLoop
	}
	return work
}

// giveUp notes that an outcome is left unwritten.
func (u *unsettled) giveUp(it *Item, now time.Time) {
	u.gaveUp++
	u.ends(it)
	if !it.outcome.uncounted {
		u.uncount(it.outcome.Kind)
	}
	if u.doubt.is() {
		u.doubt.pause(now)
	}
}

// uncount takes back the count of an outcome that is sent again, or was counted before.
func (u *unsettled) uncount(kind driver.OutcomeKind) { u.counts[kind]-- }

func (u *unsettled) setHurry(hurry bool) { u.hurry = hurry }

// retryNow makes all that waits for its next try due.
func (u *unsettled) retryNow() {
	for _, bs := range [][]*Batch{u.again, u.apart} {
		for _, b := range bs {
			b.at = time.Time{}
		}
	}
	u.doubt.hurry()
	u.shunned.hurry()
}

// written learns from a statement that was executed: the database is available. Locked
// rows stay as they are. It returns which loops then have work.
func (u *unsettled) written(b *Batch, locked map[driver.Held]bool, now time.Time, took time.Duration) (work Loops) {
	u.wrote++
	u.took = took
	if u.doubt.is() {
		work = SettleLoop | ApartLoop
	}
	u.doubt.end()
	for _, b := range u.again {
		b.at = time.Time{}
	}
	if freed := u.shunned.written(b, locked, u.wrote, now); len(freed) > 0 {
		for _, b := range u.apart {
			if c, one := b.class(); one && slices.Contains(freed, c) {
				b.at = time.Time{}
			}
		}
		work |= ApartLoop
	}
	return work
}

// down notes that the database was unavailable for a batch, and reports whether the
// batch is to blame: another one was written meanwhile. Its parts need that again,
// since an outage may begin later.
func (u *unsettled) down(b *Batch, now time.Time) (guilty bool) {
	u.fails(b)
	if b.downs++; b.downs == 1 || u.wrote == b.seen {
		u.doubt.down(b, now)
		return false
	}
	u.doubt.guilty(now)
	u.shun(b, now)
	b.seen = u.wrote
	return true
}

// slow notes that a batch was not written in time. It holds up others.
func (u *unsettled) slow(b *Batch, now time.Time) {
	u.fails(b)
	if _, one := b.class(); one {
		u.shun(b, now)
	}
}

func (u *unsettled) fails(b *Batch) {
	if !b.failed {
		b.failed, b.seen = true, u.wrote
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
	switch {
	case u.doubt.is() && full:
		return nil, time.Hour
	case u.doubt.is():
		if left := u.doubt.at.Sub(now); left > 0 {
			return nil, left
		}
		return u.sample(), time.Hour
	case len(u.again) == 0:
		return u.nextFresh(now, full)
	}
	b := u.again[0]
	if left := b.at.Sub(now); left > 0 {
		return nil, left
	}
	u.again = slices.Delete(u.again, 0, 1)
	return b, 0
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

// turns are of the groups of nextApart.
var turns = [...]int{0, 1, 0, 2}

// nextApart removes the next batch of those that hold up others. If there is doubt,
// that decides what is sent. What may help others, shunned classes, and stubborn batches
// have turns, so that none of these waits for another: hardly anything goes through of
// the last two.
func (u *unsettled) nextApart(now time.Time) (*Batch, time.Duration) {
	wait := time.Hour
	if u.doubt.is() {
		return nil, wait
	}
	var due [3]int // 1 more than the place in apart
	var since [3]time.Time
	for i, b := range u.apart {
		group, at := 0, b.at
		switch sh := u.shunned.of(b); {
		case sh != nil: // each class in turn
			group, at = 1, later(at, sh.at)
		case b.stubborn:
			group = 2
		}
		switch left := at.Sub(now); {
		case left > 0:
			wait = min(wait, left)
		case due[group] == 0 || at.Before(since[group]):
			due[group], since[group] = i+1, at
		}
	}
	for range turns {
		u.turn = (u.turn + 1) % len(turns)
		if group := turns[u.turn]; due[group] > 0 {
			return u.takeApart(due[group] - 1), 0
		}
	}
	return nil, wait
}

func (u *unsettled) takeApart(i int) *Batch {
	b := u.apart[i]
	if sh := u.shunned.of(b); sh != nil {
		return u.probe(b, sh.turn())
	}
	u.apart = slices.Delete(u.apart, i, i+1)
	return b
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// later keeps a batch for its next try, and returns which loop then has work. A
// batch that holds up others waits apart from them.
func (u *unsettled) later(b *Batch, now time.Time) (work Loops) {
	b.at = now.Add(b.wait.Next())
	if u.doubt.is() { // whatever it was, the next sample has its pause, and the settle loop sends it
		u.doubt.pause(now)
		work = SettleLoop
	}
	if b.apart || b.refused > 0 {
		b.apart = true
		b.stubborn = b.stubborn || len(b.Items) == 1
		u.shunned.failed(b, now)
		u.apart = append(u.apart, b)
		return work | ApartLoop
	}
	if !u.doubt.is() || !u.join(b) {
		u.again = append(u.again, b)
	}
	return SettleLoop
}
