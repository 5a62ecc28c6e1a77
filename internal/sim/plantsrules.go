package sim

// ruleless leave out one of the rules of the claim, or a part of it.
var ruleless = []Plant{
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
}
