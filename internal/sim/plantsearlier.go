package sim

// earlier are the defects of an earlier relay.
var earlier = []Plant{
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
		[]Edit{{coreDir + "leases.go", "case it.state == Settling && it.lease.left(ls.now) > it.lease.length/2:", "case it.state == Settling:"}},
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
		"defect 11", "what the lanes hold together has no bound",
		[]Edit{{coreDir + "share.go", "	return min(n, p.cfg.MaxHeld)", "	return max(n, 1_000_000)"}},
	},
}
