package sim

// careless are other mistakes: about shutdowns, pauses, rounds, and the laws that the
// others do not violate.
var careless = []Plant{
	{
		"give-back", "a shutdown keeps what waits",
		[]Edit{{coreDir + "shutdown.go", "	c.mem.giveBackWaiting(func(*Item) bool { return true })\n", ""}},
	},
	{
		"savepoints", "a row is not looked up before it runs",
		[]Edit{{coreDir + "hot.go", "	if w.Confirm {\n", "	if false && w.Confirm {\n"}},
	},
	{
		"batches", "a batch has the answer of its first event",
		[]Edit{{coreDir + "finish.go", "rs.decisions.decide(it, answers[i], partly)", "rs.decisions.decide(it, answers[0*i], partly)"}},
	},
	{
		"pause 1", "what is claimed for a paused destination runs",
		[]Edit{{coreDir + "breaker.go", "	case b.shut():\n		return refuse", "	case b.isOpen():\n		return refuse"}},
	},
	{
		"pause 2", "a destination that was down is not probed after its pause",
		[]Edit{{coreDir + "pause.go", "		b.probes.at(ds.now)\n		ds.wake(ProbeLoop)\n		return", "		b.probes.at(ds.now.Add(time.Hour))\n		return"}},
	},
	{
		"pause 3", "a paused type is claimed and runs",
		[]Edit{{coreDir + "lane.go", "{ l.paused = paused }", "{ l.paused = l.paused && paused }"}},
	},
	{
		"outages", "an event whose destination is unavailable has failed",
		[]Edit{{coreDir + "decide.go", "case a.Kind == Unavailable && !guilty:", "case a.Kind == Unavailable && !guilty && it.Attempts < 0:"}},
	},
	{
		"no route", "an event without a destination has failed",
		[]Edit{{coreDir + "decide.go", "case a.Kind == NoRoute && ds.cfg.Unroutable == UnroutableWait:", "case a.Kind == NoRoute && it.Attempts < 0:"}},
	},
	{
		"sweep", "what was never delivered is swept as well",
		[]Edit{{memDir + "sweep.go", "!r.taken() && r.status == statusDone && !r.doneAt.After(before)", "!r.taken() && r.status != statusRetry && !r.createdAt.After(before)"}},
	},
	{
		"law 5", "a claimed event was written when it was claimed",
		[]Edit{{coreDir + "item.go", "CreatedAt: c.CreatedAt, Since: since", "CreatedAt: since, Since: since"}},
	},
	{
		"law 8, the outcomes", "runs start whatever is unsettled",
		[]Edit{{coreDir + "dispatch.go", "if rs.load.full(l, rs.cfg.MaxUnsettled) {", "if false {"}},
	},
	{
		"law 8, the hot queue", "open transactions do not count",
		[]Edit{{coreDir + "hot.go", "l.hotWait+l.reserved >= l.cfg.HotQueue", "l.hotWait >= l.cfg.HotQueue"}},
	},
	{
		"law 9", "a lease is counted by the wall clock alone",
		[]Edit{{coreDir + "lease.go", "return max(now.Sub(from), now.Round(0).Sub(from.Round(0)))", "return now.Round(0).Sub(from.Round(0))"}},
	},
	{
		"round 1", "a round goes on with what becomes due in the meantime",
		[]Edit{{coreDir + "once.go", "	p.Age = max(c.now.Sub(r.began), 0)", "	p.Age = 0"}},
	},
	{
		"round 2", "a round ends after one look at each lane",
		[]Edit{{coreDir + "once.go", "			r.found[l] = true\n			r.asksAgain(l)\n", "			r.found[l] = true\n"}},
	},
	{
		"rest, what runs", "a relay that is started again forgets what still runs",
		[]Edit{{coreDir + "stuck.go", "			rs.move(it, Stuck)\n			rs.stuck.add(it)\n", "			rs.move(it, Stuck)\n"}},
	},
	{
		"rest, what waits", "a relay that rests forgets what it has left to the poller",
		[]Edit{{coreDir + "hot.go", "	h.slots = newSlots(&h.load)\n", "	h.slots, h.refusals = newSlots(&h.load), newRefusals()\n"}},
	},
}
