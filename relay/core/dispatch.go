package core

import "time"

// dispatch starts what is ready in the lane, as long as it has workers.
func (c *Core) dispatch(l *Lane) {
	for l.runs < l.cfg.Workers && c.mayRun(l) {
		run := c.nextRun(l)
		if run == nil {
			return
		}
		l.runs++
		c.fx.Runs = append(c.fx.Runs, run)
	}
}

// mayRun returns false if ready events must wait: unsettled events are bounded,
// so that an outage of the database does not fill the memory.
func (c *Core) mayRun(l *Lane) bool {
	return (c.phase == Working || c.phase == Draining) && !l.paused && c.load.unsettled < c.cfg.MaxUnsettled
}

// nextRun takes one event, or a batch where the destination takes batches.
func (c *Core) nextRun(l *Lane) *Run {
	for it := c.take(l); it != nil; it = c.take(l) {
		if it.lease.left(c.now) < c.cfg.Margin {
			c.lapse(it)
			continue
		}
		b := it.Dest.breakerOrNil()
		if b.yields(it) && l.others() {
			it.yielded = true
			c.queueOf(it).push(it)
			continue
		}
		switch b.admit() {
		case refuse:
			c.giveBack(it, b.delay(c.now))
			continue
		case hold:
			if len(l.dests) > 1 { // other destinations must not wait behind it
				c.giveBack(it, b.patience(c.now))
				continue
			}
			c.queueOf(it).pushFront(it)
			return nil
		}
		if it.trial = b.trying(); it.trial {
			b.tried = c.now
		}
		run := it.newRun(c.now.Add(l.cfg.Timeout))
		run.lane = l
		c.start(it, run)
		if it.Dest != nil && it.Dest.Batches && !b.trying() {
			c.fill(run)
		}
		return run
	}
	return nil
}

// take returns the next of the lane's events. One that became suspect while it
// waited, by a newer claim, must run alone.
func (c *Core) take(l *Lane) *Item {
	for {
		it := l.pop()
		if it == nil || !it.suspect() {
			return it
		}
		c.suspects.queue.push(it)
	}
}

// lapse keeps an event from running until its lease is renewed.
func (c *Core) lapse(it *Item) {
	c.move(it, Lapsed)
	c.wake(HoldLoop | TakeLoop)
}

func (c *Core) start(it *Item, run *Run) {
	c.move(it, Running)
	it.started, it.run = c.now, run
	it.line.start(it)
}

// fill adds events of the same destination to the run, and with each the ones
// of its key that wait behind it, in their order.
func (c *Core) fill(run *Run) {
	l, last := run.lane, run.one[0]
	along := func(next *Item) bool {
		return next.Dest == last.Dest && !next.suspect() && next.lease.left(c.now) >= c.cfg.Margin
	}
	for len(run.Items) < l.cfg.DeliverBatch {
		it := last.line.follower(along)
		if it == nil {
			if it = c.take(l); it == nil {
				return
			}
			if it.Dest != last.Dest {
				c.queueOf(it).pushFront(it)
				return
			}
			if it.lease.left(c.now) < c.cfg.Margin {
				c.lapse(it)
				continue
			}
		}
		c.start(it, run)
		run.Items = append(run.Items, it)
		last = it
	}
}

// Finished reports the answers of a run, one for each of its items in their
// order. The worker may get another run.
func (c *Core) Finished(now time.Time, run *Run, answers []Answer, fx *Effects) {
	c.begin(now, fx)
	defer c.end()
	if run.lane != nil {
		run.lane.runs--
		c.regainWorker(run)
		c.touch(run.lane)
	}
	for i, it := range run.Items {
		it.run = nil
		if it.state == Stuck { // it ended after all
			delete(c.stuck, it.held.EventID)
			c.move(it, Gone)
			it.line.unstick()
			c.advance(it.line)
			continue
		}
		if !it.state.runs() { // the relay no longer knows it
			continue
		}
		c.decide(it, answers[i])
		it.line.ran()
		c.advance(it.line)
	}
}
