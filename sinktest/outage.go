package sinktest

func outageLaws() []Law {
	return []Law{
		{
			Name:    "a server that is down is unavailable, and its return needs no new sink",
			Why:     "an outage must spend no attempts, and nobody restarts the relay after each one",
			Applies: hasFaults,
			Check:   check(down),
		},
		{
			Name:    "a sink may be opened while its server is down",
			Why:     "a relay must start, and deliver to its other destinations, during an outage",
			Applies: hasFaults,
			Check:   check(downAtFirst),
		},
		{
			Name:    "a server that hangs is unavailable by the end of the context",
			Why:     "a half-open connection answers nothing for hours, and must neither hold a worker nor spend attempts",
			Applies: hasFaults,
			Check:   check(hangs),
		},
		{
			Name:    "a server that hangs from the beginning is unavailable too",
			Why:     "a handshake without an answer needs a limit as well",
			Applies: hasFaults,
			Check:   check(hangsAtFirst),
		},
		{
			Name:    "a connection that was cut while nobody used it is made anew",
			Why:     "firewalls cut idle connections, and the first event after that is not to blame",
			Applies: hasFaults,
			Check:   check(idleCut),
		},
	}
}

func down(k *kit) {
	before := k.messages(event("order"))
	k.send(before)
	k.Faults.Refuse()
	k.allUnavailable(k.within(brief, k.messages(events("order", 10)...)))
	k.allUnavailable(k.within(brief, k.messages(event("order"))))
	k.Faults.Pass()
	after := k.messages(events("order", 10)...)
	k.deliver(after)
	k.atLeast(append(before, after...))
}

func downAtFirst(k *kit) {
	k.Faults.Refuse()
	k.allUnavailable(k.within(brief, k.messages(events("order", 10)...)))
	k.Faults.Pass()
	after := k.messages(events("order", 10)...)
	k.deliver(after)
	k.atLeast(after)
}

func hangs(k *kit) {
	before := k.messages(event("order"))
	k.send(before)
	k.Faults.Hang()
	k.allUnavailable(k.within(brief, k.messages(events("order", 10)...)))
	k.allUnavailable(k.within(brief, k.messages(event("order"))))
	k.Faults.Pass()
	after := k.messages(events("order", 10)...)
	k.deliver(after)
	k.atLeast(append(before, after...))
}

func hangsAtFirst(k *kit) {
	k.Faults.Hang()
	k.allUnavailable(k.within(brief, k.messages(events("order", 10)...)))
	k.Faults.Pass()
	after := k.messages(events("order", 10)...)
	k.deliver(after)
	k.atLeast(after)
}

func idleCut(k *kit) {
	ms := k.messages(event("order"))
	k.send(ms)
	k.Faults.Cut()
	after := k.messages(event("order"))
	k.deliver(after)
	k.atLeast(append(ms, after...))
}
