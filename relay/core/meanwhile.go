package core

// meanwhile is what has become of a row while its event ran under an older claim.
type meanwhile struct {
	attempts int   // of others, which the outcome counts as well
	left     bool  // others have disappeared with the event
	skipped  int64 // newer claims of this process whose place newer ones took
}

// skips notes that a newer claim takes the place of a newer claim.
func (m *meanwhile) skips() { m.skipped++ }

// learn notes what a newer claim than that one says about others, and returns how many
// attempts they have made since. Made is how many the row counts.
func (m *meanwhile) learn(made int, than, newer *claim) (more int) {
	more = max(made-than.Attempts-m.attempts, 0)
	m.attempts += more
	// The claim after one of its own says that this relay has disappeared, which it has not.
	own := than.held.ClaimNo + 1 + m.skipped
	m.left = m.left || newer.Recovered > 0 && newer.held.ClaimNo > own
	m.skipped = 0
	return more
}

// adopt puts the outcome under a newer claim of the same row: on top of the attempts
// that others have made meanwhile.
func (it *Item) adopt(newer *claim) {
	made := newer.Attempts
	if it.suspect() && !it.started.IsZero() {
		made-- // the row has counted a lone run since before it began
	}
	it.outcome.Attempts += it.meanwhile.learn(made, &it.claim, newer)
	it.moves(newer)
}

// Left reports whether another relay has disappeared with the event, so that it may
// have been delivered before.
func (it *Item) Left() bool { return it.meanwhile.left || it.Recovered > 0 }
