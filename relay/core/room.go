package core

// room is how many more events the lane takes from the poller. Events that wait
// for others of their key, and suspects, have as much room again: a slow run must
// not keep the lane from events that it could run in parallel.
func (l *Lane) room() int { return l.cfg.ColdQueue - l.coldWait + l.behind() }

func (l *Lane) behind() int { return min(l.blocked, l.cfg.ColdQueue) }

// leastRows and mostRows bound one claim. Half of the queue is left, so that
// the next claim need not wait until the rows of this one run.
func (l *Lane) leastRows() int { return min(l.cfg.Batch, l.cfg.ColdQueue) }
func (l *Lane) mostRows() int  { return max(l.leastRows(), l.cfg.ColdQueue/2) }

// threshold is the room that is worth a claim while the lane is behind.
func (l *Lane) threshold() int { return max(1, min(l.poll.batch, l.cfg.ColdQueue/2)) }

// A process that crashes soon after its start, again and again, must hold
// little: its claimed events wait for a lease each time, and are suspect after
// the third. So a lane holds one batch at first, and the more it has finished,
// the more it holds.

// proven reports whether the lane has finished enough to fill its queue.
func (l *Lane) proven() bool { return l.work.finished >= l.cfg.ColdQueue }

// allowed is how many more events the lane takes from the poller, and how many
// are worth a claim.
func (l *Lane) allowed() (rows, enough int) {
	rows, enough = l.room(), l.threshold()
	if !l.proven() {
		rows = min(rows, max(l.cfg.Batch, l.cfg.Workers)+2*l.work.finished-l.held+l.behind())
		enough = min(enough, max(l.cfg.Batch/2, 1))
	}
	return rows, enough
}

// away reports whether all destinations of the lane are unavailable or paused.
func (l *Lane) away() bool {
	for _, d := range l.dests {
		if b := d.breaker; !b.shut() && !b.isTrying() {
			return false
		}
	}
	return len(l.dests) > 0
}

// trial is how many events to claim at most while all destinations are
// unavailable, paused or half-open; 0: no limit.
func (l *Lane) trial() (n int) {
	for _, d := range l.dests {
		switch b := d.breaker; {
		case b.isPaused():
		case b.isHalfOpen():
			n = max(n, b.ration())
		case b.isClosed():
			return 0
		}
	}
	return n
}
