package core

import (
	"slices"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// class is what outcomes have in common that fail for one reason: a table of dead
// letters that is locked, or a trigger.
type class struct {
	lane *Lane
	kind driver.OutcomeKind
}

func classOf(it *Item) class { return class{it.lane, it.outcome.Kind} }

// shunned are the classes of which nothing is written while others are. Their outcomes
// wait apart from the others, and one of them is tried at a time, until one is written.
type shunned struct {
	byClass map[class]*shun
	// known are the classes of which something was written.
	known map[class]known
}

type known struct {
	wrote int       // how many statements had been written when one of the class was
	freed time.Time // when it was shunned and written last: only some of its outcomes fail
}

// mixedFor is how long a class is not shunned again of which only some outcomes fail.
const mixedFor = time.Minute

type shun struct {
	wait   Backoff
	at     time.Time // of the next try
	newest bool      // the last try was the newest outcome
}

// turn reports whether the newest outcome is tried next, or one that failed before.
func (sh *shun) turn() bool {
	sh.newest = !sh.newest
	return sh.newest
}

// written notes which classes a statement has written, and returns which of them are
// shunned no longer.
func (s *shunned) written(b *Batch, locked map[driver.Held]bool, wrote int, now time.Time) (freed []class) {
	var last class
	for _, it := range b.Items {
		c := classOf(it)
		if c == last || locked[it.held] { // a locked row says nothing of its class
			continue
		}
		if last = c; s.known == nil {
			s.known = map[class]known{}
		}
		k := s.known[c]
		if k.wrote = wrote; s.byClass[c] != nil {
			k.freed = now
			delete(s.byClass, c)
			freed = append(freed, c)
		}
		s.known[c] = k
	}
	return freed
}

// blame shuns the classes of a failed batch of which nothing was written since it
// failed first, and returns those that were not shunned before.
func (s *shunned) blame(b *Batch, now time.Time) (added []class) {
	for _, it := range b.Items {
		c := classOf(it)
		k := s.known[c]
		if s.byClass[c] != nil || k.wrote > b.seen || now.Sub(k.freed) < mixedFor {
			continue
		}
		if s.byClass == nil {
			s.byClass = map[class]*shun{}
		}
		s.byClass[c] = &shun{}
		added = append(added, c)
	}
	return added
}

// of returns what is known of a batch of a shunned class, or nil.
func (s *shunned) of(b *Batch) *shun {
	if len(s.byClass) == 0 {
		return nil
	}
	c, one := b.class()
	if !one {
		return nil
	}
	return s.byClass[c]
}

// failed puts off the next try of the class, if it is shunned.
func (s *shunned) failed(b *Batch, now time.Time) {
	if sh := s.of(b); sh != nil {
		sh.at = now.Add(sh.wait.Next())
	}
}

// hurry makes all of them due.
func (s *shunned) hurry() {
	for _, sh := range s.byClass {
		sh.at = time.Time{}
	}
}

// probe removes one outcome of a shunned class from those that wait apart, to be sent
// alone: a large batch of a class of which only some fail would never be written. It is
// the newest one, or the first of b, which failed before.
func (u *unsettled) probe(b *Batch, newest bool) *Batch {
	it := b.Items[0]
	if fresh := u.unsent(classOf(it)); newest && fresh != nil {
		b, it = fresh, fresh.Items[len(fresh.Items)-1]
	}
	one := b.remove(it)
	u.apart = behind(u.apart, b)
	return one
}

// shuns reports whether an outcome that waits is of a shunned class.
func (u *unsettled) shuns(it *Item) bool {
	return it.state == Unsettled && u.shunned.byClass[classOf(it)] != nil
}

// unsent is the newest batch of a shunned class that was never sent, or nil.
func (u *unsettled) unsent(c class) *Batch {
	for _, b := range slices.Backward(u.apart) {
		if !b.Repeated && !b.stubborn && classOf(b.Items[0]) == c {
			return b
		}
	}
	return nil
}

// divert keeps an outcome of a shunned class from the others, and reports whether it is
// of one.
func (u *unsettled) divert(it *Item) bool {
	if u.shunned.byClass[classOf(it)] == nil {
		return false
	}
	if b := u.unsent(classOf(it)); b != nil && len(b.Items) < u.cfg.SettleBatch {
		b.Items = append(b.Items, it)
		return true
	}
	u.apart = append(u.apart, &Batch{Items: []*Item{it}, apart: true})
	return true
}

// shun diverts what waits of newly shunned classes.
func (u *unsettled) shun(b *Batch, now time.Time) {
	if len(u.shunned.blame(b, now)) == 0 {
		return
	}
	u.fresh = slices.DeleteFunc(u.fresh, u.divert)
	u.again = slices.DeleteFunc(u.again, func(b *Batch) bool {
		if u.shunned.of(b) == nil {
			return false
		}
		b.apart = true
		u.apart = append(u.apart, b)
		return true
	})
}
