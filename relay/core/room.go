package core

// room is how many more events the lane takes from the poller. Events that wait
// for others of their key have room of their own, as much again: a slow run must
// not keep the lane from what it could run beside it.
func (l *Lane) room() int { return l.cfg.ColdQueue - l.coldWait + l.behind() }

func (l *Lane) behind() int { return min(l.lined, l.cfg.ColdQueue) }

// leastRows and mostRows bound what is asked for at once. Half of the queue is
// left, so that the next claim need not wait until the rows of this one run.
func (l *Lane) leastRows() int { return min(l.cfg.Batch, l.cfg.ColdQueue) }
func (l *Lane) mostRows() int  { return max(l.leastRows(), l.cfg.ColdQueue/2) }

// threshold is the room that is worth a claim while the lane is behind.
func (l *Lane) threshold() int { return max(1, min(l.poll.batch, l.cfg.ColdQueue/2)) }

// A process that ends soon after its start, again and again, must take little
// with it: what it had claimed waits for a lease each time, and is suspect after
// the third. So a lane holds one batch at first, and the more it has finished
// the more it holds.

// proven reports whether the lane has finished enough to fill its queue.
func (l *Lane) proven() bool { return l.finished >= l.cfg.ColdQueue }

// allowed is how many more events the lane takes from the poller, and how many
// are worth a claim.
func (l *Lane) allowed() (rows, enough int) {
	rows, enough = l.room(), l.threshold()
	if !l.proven() {
		rows = min(rows, max(l.cfg.Batch, l.cfg.Workers)+2*l.finished-l.held+l.behind())
		enough = min(enough, max(l.cfg.Batch/2, 1))
	}
	return rows, enough
}

// away says whether all that the lane's events could go to is away.
func (l *Lane) away() bool {
	for _, d := range l.dests {
		if b := d.breaker; !b.opened() && !(b.trying() && b.busy) {
			return false
		}
	}
	return len(l.dests) > 0
}

// trial is how many events at most to claim while all that they could go to is
// away or half open; 0: no bound.
func (l *Lane) trial() (n int) {
	for _, d := range l.dests {
		switch b := d.breaker; {
		case b.trying():
			n = max(n, b.ration())
		case b.isClosed():
			return 0
		}
	}
	return n
}
