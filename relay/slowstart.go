package relay

// A process that ends soon after its start, again and again, must take little
// with it: what it had claimed waits for a lease each time, and is suspect after
// the third. So a lane holds one batch at first, and the more it has finished
// the more it holds.

// proven reports whether the lane has finished enough to fill its queue.
func (l *lane) proven() bool { return l.finished >= l.cfg.ColdQueue }

// allowed is how many more events the lane takes from the poller, and how many
// are worth a claim.
func (l *lane) allowed() (rows, enough int) {
	rows, enough = l.room(), l.threshold()
	if !l.proven() {
		rows = min(rows, l.cfg.Batch+2*l.finished-l.claimed)
		enough = min(enough, max(l.cfg.Batch/2, 1))
	}
	return rows, enough
}

// finishes counts a run that came to its end.
func (r *Relay) finishes(l *lane) {
	if l.finished++; l.finished == l.cfg.ColdQueue {
		r.pollWake.signal()
	}
}

// holds counts an event of the poller that came into memory, or left it.
func (r *Relay) holds(it *item, n int) {
	l := it.lane
	if it.hot {
		return
	}
	l.claimed += n
	if n < 0 && l.poll.again && !l.proven() {
		r.pollWake.signal()
	}
}
