package core

import "time"

// unreported detects a program that does not call done for its transactions: a
// hot slot expired after its head start, its row was claimed, so its
// transaction was committed, and for as long again nothing reported the commit.
// It is logged once; it is a bug in the program, and each of its events shows
// it.
type unreported struct {
	byID map[string]*missing
	told bool
}

// missing is an event whose transaction may still be open.
type missing struct {
	lane    string
	since   time.Time // when its row was about to be written
	claimed time.Time // zero: not yet
}

// maxMissing bounds the events that are watched. One is enough to find the bug.
const maxMissing = 100

// expired watches an event whose hot slot expired.
func (u *unreported) expired(s slot) {
	if u.told || len(u.byID) >= maxMissing || u.byID[s.it.held.EventID] != nil {
		return
	}
	if u.byID == nil {
		u.byID = map[string]*missing{}
	}
	u.byID[s.it.held.EventID] = &missing{lane: s.it.lane.Name, since: s.since}
}

// claimed notes that the row exists.
func (u *unreported) claimed(id string, now time.Time) {
	if m := u.byID[id]; m != nil && m.claimed.IsZero() {
		m.claimed = now
	}
}

// reported notes that the end of the transaction was reported after all.
func (u *unreported) reported(id string) { delete(u.byID, id) }

// forget forgets the open transactions.
func (u *unreported) forget() { u.byID = nil }

// find returns an event whose row has existed for as long as patience without a
// report of its commit. It forgets events that were never claimed: they were
// rolled back, or another relay has them.
func (u *unreported) find(now time.Time, patience time.Duration) (id string, m *missing) {
	for other, o := range u.byID {
		switch {
		case o.claimed.IsZero() && Elapsed(o.since, now) >= 20*patience:
			delete(u.byID, other)
		case o.claimed.IsZero() || Elapsed(o.claimed, now) < patience:
		case m == nil || other < id: // deterministic, for the simulation
			id, m = other, o
		}
	}
	if m != nil {
		u.byID, u.told = nil, true
	}
	return id, m
}
