package core

import "time"

// unreported finds out that somebody does not say when their transactions end:
// a hot place was given up after its head start, its row was claimed, so its
// transaction was committed, and for as long again nobody said so. That is told
// once; it is a mistake in the program, and each of its events shows it.
type unreported struct {
	byID map[string]*missing
	told bool
}

// missing is an event whose transaction may still be open.
type missing struct {
	lane    string
	since   time.Time // its row was about to be written
	claimed time.Time // zero: not yet
}

// maxMissing bounds what is watched. One is enough to find the mistake.
const maxMissing = 100

// expired watches an event whose hot place was given up.
func (u *unreported) expired(s slot) {
	if u.told || len(u.byID) >= maxMissing || u.byID[s.it.held.EventID] != nil {
		return
	}
	if u.byID == nil {
		u.byID = map[string]*missing{}
	}
	u.byID[s.it.held.EventID] = &missing{lane: s.it.lane.Name, since: s.since}
}

// claimed notes that the row is there.
func (u *unreported) claimed(id string, now time.Time) {
	if m := u.byID[id]; m != nil && m.claimed.IsZero() {
		m.claimed = now
	}
}

// reported notes that the end of the transaction was told after all.
func (u *unreported) reported(id string) { delete(u.byID, id) }

// find is an event whose row has been there for as long as patience, while
// nobody said that it was committed. What was never claimed is forgotten: it was
// rolled back, or another relay has it.
func (u *unreported) find(now time.Time, patience time.Duration) (id string, m *missing) {
	for other, o := range u.byID {
		switch {
		case o.claimed.IsZero() && Elapsed(o.since, now) >= 20*patience:
			delete(u.byID, other)
		case o.claimed.IsZero() || Elapsed(o.claimed, now) < patience:
		case m == nil || other < id: // the same one in each run of a simulation
			id, m = other, o
		}
	}
	if m != nil {
		u.byID, u.told = nil, true
	}
	return id, m
}
