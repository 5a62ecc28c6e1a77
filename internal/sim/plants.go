package sim

// Plant is a defect that is put into the code, to test that the simulation
// finds it.
type Plant struct {
	Name string
	// What the relay, or the claim, then does wrong.
	Wrong string
	Edits []Edit
}

// Edit replaces Old, which must occur once in a file of the module, by New.
type Edit struct{ File, Old, New string }

const (
	coreDir = "relay/core/"
	memDir  = "store/memstore/"
)

// Plants are the claim's rules, each left out, and the defects of an earlier
// relay.
var Plants = []Plant{
	{
		"rule 1", "a row that somebody holds is claimed",
		[]Edit{{memDir + "row.go", "return r.pending() && r.due(now) && !r.locked(now)", "return r.pending() && r.due(now)"}},
	},
	{
		"rule 2", "a claim keeps the number of the last one",
		[]Edit{{memDir + "row.go", "	r.lockedBy, r.lockedUntil = owner, until\n	r.claimNo++", "	r.lockedBy, r.lockedUntil = owner, until"}},
	},
	{
		"rule 2, the owner", "that an owner disappeared is not counted",
		[]Edit{{memDir + "row.go", "		r.recovered++\n", ""}},
	},
	{
		"rule 3, the fence", "an outcome counts under any claim",
		[]Edit{{memDir + "row.go", "if r == nil || !r.pending() || r.seq != h.Seq || r.claimNo != h.ClaimNo {\n		return false\n	}", "if r == nil || !r.pending() {\n		return false\n	}\n	if r != nil {\n		return true\n	}"}},
	},
	{
		"rule 3, the number", "a row that is freed keeps its number",
		[]Edit{{memDir + "row.go", "	r.unlock()\n	r.claimNo++", "	r.unlock()"}},
	},
	{
		"rule 4, the renewal", "leases are not renewed",
		[]Edit{{coreDir + "leases.go", "case !it.lease.due(ls.now) &&", "case true || !it.lease.due(ls.now) &&"}},
	},
	{
		"rule 4, claimed rows", "the leases of claimed rows are not renewed",
		[]Edit{{coreDir + "leases.go", "case !it.lease.due(ls.now) &&", "case it.held.ClaimNo > 0 || !it.lease.due(ls.now) &&"}},
	},
	{
		"rule 4, the order", "after an outage the relay claims before it renews",
		[]Edit{{coreDir + "poller.go", "	p.recovering = p.now\n", "	p.recovering = time.Time{}\n"}},
	},
	{
		"rule 5, the margin", "a run starts whatever is left of its lease",
		[]Edit{{coreDir + "dispatch.go", "		if it.lease.left(rs.now) < rs.cfg.Margin {\n			rs.lapse(it)\n			continue\n		}\n		b :=", "		b :="}},
	},
	{
		"rule 5, the moment", "a lease counts from the answer to the claim",
		[]Edit{{coreDir + "claims.go", "it.hold(sent, c.cfg.Lease)", "it.hold(c.now, c.cfg.Lease)"}},
	},
	{
		"rule 5, the head start", "a hot event runs whatever is left of its head start",
		[]Edit{{coreDir + "dispatch.go", "		if it.lease.left(rs.now) < rs.cfg.Margin {\n			rs.lapse(it)\n			continue\n		}\n		b :=", "		if it.held.ClaimNo > 0 && it.lease.left(rs.now) < rs.cfg.Margin {\n			rs.lapse(it)\n			continue\n		}\n		b :="}},
	},
	{
		"rule 6, taken by id", "a queued hot event is forgotten when its head start is nearly over",
		[]Edit{{coreDir + "takes.go", "	return take\n", "	for _, it := range take {\n		ts.drop(it)\n	}\n	return nil\n"}},
	},
	{
		"rule 6, the margin", "a queued hot event is neither taken nor kept from running",
		[]Edit{
			{coreDir + "takes.go", "	return take\n", "	for _, it := range take {\n		ts.resume(it)\n	}\n	return nil\n"},
			{coreDir + "dispatch.go", "		if it.lease.left(rs.now) < rs.cfg.Margin {\n			rs.lapse(it)\n			continue\n		}\n		b :=", "		if it.held.ClaimNo > 0 && it.lease.left(rs.now) < rs.cfg.Margin {\n			rs.lapse(it)\n			continue\n		}\n		b :="},
		},
	},
	{
		"rule 6, the slot", "the hot slot of a transaction whose end is never reported stays taken",
		[]Edit{{coreDir + "slots.go", "Elapsed(first.since, now) <= headStart", "Elapsed(first.since, now) >= 0"}},
	},
	{
		"rule 6, the renewal", "a hot event that runs is not renewed",
		[]Edit{{coreDir + "leases.go", "case it.state.waits() && it.held.ClaimNo == 0: // taken instead", "case it.held.ClaimNo == 0:"}},
	},
	{
		"rule 7", "a suspect is dead without a lone run",
		[]Edit{{coreDir + "suspect.go", "case it.LoneRuns >= suspectAfter:", "case it.LoneRuns >= 0:"}},
	},
	{
		"rule 7, the attempt", "an event that ends its process is tried for ever",
		[]Edit{{coreDir + "suspect.go", "func (it *Item) suspect() bool { return it.Recovered >= suspectAfter }", "func (it *Item) suspect() bool { return false }"}},
	},
	{
		"rule 8", "a lane is never read from its head again",
		[]Edit{
			{coreDir + "position.go", "return p.at == driver.Position{} || since >= time.Second || (!p.behind() && since >= p.headEvery())", "return p.at == driver.Position{} && since >= 0"},
			{coreDir + "position.go", "} else if p.tailCost = took; !p.again() {", "} else if p.tailCost = took; false {"},
		},
	},
	{
		"give-back", "a shutdown keeps what waits",
		[]Edit{{coreDir + "shutdown.go", "	c.mem.giveBackWaiting(func(*Item) bool { return true })\n", ""}},
	},
	{
		"savepoints", "a row is not looked up before it runs",
		[]Edit{{coreDir + "hot.go", "	if w.Confirm {\n", "	if false && w.Confirm {\n"}},
	},
	{
		"defect 1", "after an outcome that failed the poller waits for one that is written",
		[]Edit{
			{coreDir + "settle.go", "		b.refused++\n", "		b.refused++\n		o.unsettled.took = -1\n"},
			{coreDir + "leases.go", "	if answered {\n		ls.poller.renewed", "	if answered && ls.unsettled.took >= 0 {\n		ls.poller.renewed"},
			{coreDir + "poller.go", "		p.recovering = time.Time{} // the leases are over: nothing is left to wait for", "		return Polling{Wait: time.Second}"},
		},
	},
	{
		"defect 2", "a key's events run as the claim returned them",
		[]Edit{{coreDir + "line.go", "case ln.lead != nil && it.held.Seq < ln.lead.held.Seq:", "case false:"}},
	},
	{
		"defect 3, a stuck run", "a run that does not end keeps those of its key in memory",
		[]Edit{{coreDir + "stuck.go", "			rs.giveBack(behind, rs.stuckDelay())", "			_ = behind"}},
	},
	{
		"defect 3, a long run", "those that wait for others of their key take the room of all",
		[]Edit{{coreDir + "room.go", "return min(l.blocked, l.cfg.ColdQueue)", "return 0"}},
	},
	{
		"defect 4a", "a row that is being settled is never renewed",
		[]Edit{{coreDir + "leases.go", "case it.state == Settling && it.lease.left(ls.now) > it.lease.length/3:", "case it.state == Settling:"}},
	},
	{
		"defect 4b", "locked rows are renewed together with the others",
		[]Edit{{coreDir + "leases.go", "case it.lease.locked.IsZero():", "case it.lease.length > 0:"}},
	},
	{
		"defect 4d", "after a claim that failed nothing is claimed until a locked row is renewed",
		[]Edit{{coreDir + "leases.go", "	if answered {\n		ls.poller.renewed", "	for _, it := range ls.book.items {\n		answered = answered && it.lease.locked.IsZero()\n	}\n	if answered {\n		ls.poller.renewed"}},
	},
	{
		"defect 5", "an error that a locked row causes is taken for an outage",
		[]Edit{
			{memDir + "settle.go", "	var locked lockedRows\n", "	var locked lockedRows\n	for _, o := range outcomes {\n		if r := s.rows[o.EventID]; r != nil && r.taken() {\n			return nil, context.Canceled\n		}\n	}\n"},
			{memDir + "renew.go", "	var locked lockedRows\n", "	var locked lockedRows\n	for _, n := range rows {\n		if r := s.rows[n.EventID]; r != nil && r.taken() {\n			return nil, context.Canceled\n		}\n	}\n"},
		},
	},
	{
		"defect 6", "destinations are probed one after the other",
		[]Edit{{coreDir + "probe.go", "		left, ok := b.due(ds.now)\n", "		if b.state == probing {\n			return due, wait\n		}\n		left, ok := b.due(ds.now)\n		ok = ok && len(due) == 0\n"}},
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
		"defect 7", "a run that the relay cancelled counts",
		[]Edit{{coreDir + "decide.go", "(it.state == Cancelled || ds.phase == Stopping)", "ds.phase == Stopping"}},
	},
	{
		"defect 8", "each idle lane has a claim of its own",
		[]Edit{{coreDir + "poller.go", "if at := l.poll.next.Add(-l.cfg.Interval / joining); at.After(now) {", "if at := l.poll.next; at.After(now) {"}},
	},
	{
		"defect 9", "a hot event overtakes one that was refused",
		[]Edit{
			{coreDir + "refusals.go", "return e.AggregateID != \"\" && (r.keys[keyOf(e)].n > 0 || len(r.byID) >= maxRefusals)", "return false"},
			{coreDir + "refusals.go", "return first > 0 && first < seq", "return first < 0"},
		},
	},
	{
		"defect 10", "a newer claim that is lost is dropped as if it waited",
		[]Edit{
			{coreDir + "leases.go", "	case it.state == Fresh, it.state == Unsure: // a newer claim that follows an older one", "	case false:"},
			{coreDir + "leases.go", "	case it.state.waits():\n		ls.drop(it)", "	case it.state.waits() || it.state == Fresh:\n		ls.drop(it)"},
		},
	},
	{
		"law 5", "a claimed event was written when it was claimed",
		[]Edit{{coreDir + "item.go", "CreatedAt: c.CreatedAt, Since: since", "CreatedAt: since, Since: since"}},
	},
	{
		"law 8, the outcomes", "runs start whatever is unsettled",
		[]Edit{{coreDir + "dispatch.go", "!l.paused && rs.load.unsettled < rs.cfg.MaxUnsettled", "!l.paused"}},
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
		"defect 11", "what the lanes hold together has no bound",
		[]Edit{{coreDir + "share.go", "	return min(n, p.cfg.MaxHeld)", "	return max(n, 1_000_000)"}},
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
