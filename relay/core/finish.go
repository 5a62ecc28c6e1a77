package core

// Finished reports the answers of a run, one for each of its items in their
// order. The worker may get another run.
func (rs *Runs) Finished(run *Run, answers []Answer) {
	if run.lane != nil {
		run.lane.work.end()
		rs.regainWorker(run)
		rs.touch(run.lane)
	}
	partly := partlyUnavailable(answers)
	for i, it := range run.Items {
		it.run = nil
		if it.state == Stuck { // it ended after all
			rs.stuck.end(it)
			rs.move(it, Gone)
			it.line.unstick()
			rs.advance(it.line)
			continue
		}
		if !it.state.runs() { // the relay no longer knows it
			continue
		}
		rs.decisions.decide(it, answers[i], partly)
		it.line.ran()
		rs.advance(it.line)
	}
}

// cancel ends the context of a run, which all of its events share.
func (rs *Runs) cancel(it *Item) {
	for _, other := range it.run.Items {
		if other.state == Running {
			rs.move(other, Cancelled)
		}
	}
	rs.fx.Cancel = append(rs.fx.Cancel, it.run)
}
