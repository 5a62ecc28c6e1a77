package core

// Runs are what runs: it starts what is ready, and takes the answers.
type Runs struct {
	*memory
	decisions *Decisions
}

// dispatch starts what is ready in the lane, as long as it has workers.
func (rs *Runs) dispatch(l *Lane) {
	for l.work.runs < l.cfg.Workers && rs.mayRun(l) {
		run := rs.nextRun(l)
		if run == nil {
			return
		}
		l.work.begin()
		rs.fx.Runs = append(rs.fx.Runs, run)
	}
}

// mayRun returns false if ready events must wait.
func (rs *Runs) mayRun(l *Lane) bool {
	if !rs.starts() || l.paused {
		return false
	}
	if rs.load.full(l, rs.cfg.MaxUnsettled) {
		rs.stalled.add(l)
		return false
	}
	return true
}

// nextRun takes one event, or a batch where the destination takes batches.
func (rs *Runs) nextRun(l *Lane) *Run {
	for it := rs.take(l); it != nil; it = rs.take(l) {
		if it.lease.left(rs.now) < rs.cfg.Margin {
			rs.lapse(it)
			continue
		}
		b := it.Dest.breakerOrNil()
		if b.yields(it) && l.queued.any() {
			it.yielded = true
			rs.queueOf(it).push(it)
			continue
		}
		switch b.admit(it, rs.now) {
		case refuse:
			rs.giveBack(it, b.delay(rs.now))
			continue
		case hold:
			if l.mixed() && rs.round == nil { // others must not wait behind it; a round tries each event once
				rs.giveBack(it, b.patience(rs.now))
				continue
			}
			l.queued.putBack(it)
			return nil
		}
		run := it.newRun(rs.now.Add(l.cfg.Timeout))
		run.lane = l
		rs.start(it, run)
		if it.Dest != nil && it.Dest.Batches && !b.isTrying() {
			rs.fill(run)
		}
		return run
	}
	return nil
}

// take returns the next of the lane's events. One that became suspect while it
// waited, by a newer claim, must run alone.
func (rs *Runs) take(l *Lane) *Item {
	for {
		it := l.queued.pop()
		if it == nil || !it.suspect() {
			return it
		}
		rs.suspects.queue.push(it)
	}
}

func (rs *Runs) start(it *Item, run *Run) {
	rs.move(it, Running)
	it.started, it.run = rs.now, run
	it.line.start(it)
}

// fill adds events of the same destination to the run, and with each the ones
// of its key that wait behind it, in their order.
func (rs *Runs) fill(run *Run) {
	l, last := run.lane, run.one[0]
	along := func(next *Item) bool {
		return next.Dest == last.Dest && !next.suspect() && next.lease.left(rs.now) >= rs.cfg.Margin
	}
	most := min(l.cfg.DeliverBatch, 1+rs.load.left(l, rs.cfg.MaxUnsettled)) // one has started
	for len(run.Items) < most {
		it := last.line.follower(along)
		if it == nil {
			if it = rs.take(l); it == nil {
				return
			}
			if it.Dest != last.Dest {
				l.queued.putBack(it)
				return
			}
			if it.lease.left(rs.now) < rs.cfg.Margin {
				rs.lapse(it)
				continue
			}
		}
		rs.start(it, run)
		run.Items = append(run.Items, it)
		last = it
	}
}
