package core

// recount compares every count with what counting again gives.
func (w *world) recount() {
	m := w.core.mem
	var all load
	lanes := make(map[*Lane]laneLoad, len(m.lanes.list))
	for _, it := range m.book.items {
		lane := lanes[it.lane]
		all.waiting += count(it.state.waits())
		all.running += count(it.state.runs())
		all.unsettled += count(it.state.unsettled())
		if !it.state.waits() && !it.state.runs() && !it.state.unsettled() {
			w.violated("%s is %s, and still in memory", it.held.EventID, it.state)
		}
		lane.bytes += it.size
		lane.open += count(it.state.unsettled())
		lane.running += count(it.state.runs())
		lane.strays += count(it.state.waits() && it.Dest == nil)
		if it.Hot {
			lane.hotWait += count(it.state.waits())
		} else {
			all.cold += count(!it.state.unsettled())
			lane.coldWait += count(it.state.waits())
			lane.blocked += count(it.state.waits() && (it.state == Lined || it.suspect()))
			lane.held += count(!it.state.unsettled())
		}
		lanes[it.lane] = lane
	}
	reserved := map[*Lane]int{}
	for _, slot := range w.core.Hot.slots.byID {
		lane := lanes[slot.it.lane]
		lane.bytes += slot.it.size
		lanes[slot.it.lane] = lane
		reserved[slot.it.lane]++
	}
	for _, l := range m.lanes.list {
		all.bytes += lanes[l].bytes
		if lanes[l] != l.laneLoad || reserved[l] != l.reserved {
			w.violated("lane %s counts %+v and %d slots, and has %+v and %d", l.Name, l.laneLoad, l.reserved, lanes[l], reserved[l])
		}
		w.recountRuns(l)
	}
	if all != m.load {
		w.violated("the memory counts %+v, and has %+v", m.load, all)
	}
}

func (w *world) recountRuns(l *Lane) {
	runs, stuck := 0, 0
	for _, run := range w.deliveries.live {
		runs += count(run.lane == l)
		stuck += count(run.lane == l && run.abandoned)
	}
	if runs != l.work.runs || stuck != l.work.stuck || runs > l.cfg.Workers {
		w.violated("lane %s counts %d runs, %d of them stuck, and has %d and %d, of %d workers",
			l.Name, l.work.runs, l.work.stuck, runs, stuck, l.cfg.Workers)
	}
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
