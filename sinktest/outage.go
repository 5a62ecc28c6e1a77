package sinktest

import "github.com/sendoff-go/outbox"

func outageLaws() []Law {
	return []Law{
		{
			Name:    "a server that is down is unavailable, and its return needs no new sink",
			Why:     "an outage must spend no attempts, and nobody restarts the relay after each one",
			Applies: hasFaults,
			Check:   check(away(Faults.Refuse)),
		},
		{
			Name:    "a sink may be opened while its server is down",
			Why:     "a relay must start, and deliver to its other destinations, during an outage",
			Applies: hasFaults,
			Check:   check(awayAtFirst(Faults.Refuse)),
		},
		{
			Name:    "a server that hangs is unavailable by the end of the context",
			Why:     "a half-open connection answers nothing for hours, and must neither hold a worker nor spend attempts",
			Applies: hasFaults,
			Check:   check(away(Faults.Hang)),
		},
		{
			Name:    "a server that hangs from the beginning is unavailable too",
			Why:     "a handshake without an answer needs a timeout as well",
			Applies: hasFaults,
			Check:   check(awayAtFirst(Faults.Hang)),
		},
		{
			Name:    "a connection that was cut while idle is replaced",
			Why:     "firewalls cut idle connections, and the first event after that is not to blame",
			Applies: hasFaults,
			Check:   check(idleCut),
		},
	}
}

// away tests a server that fails and recovers after the sink has used it.
func away(fault func(Faults)) func(*kit) {
	return func(k *kit) {
		before := k.messages(event("order"))
		k.send(before)
		fault(k.Faults)
		k.allUnavailable(k.within(brief, k.messages(events("order", 10)...)))
		k.allUnavailable(k.within(brief, k.messages(event("order"))))
		k.returns(before)
	}
}

// awayAtFirst tests a server that is down when the sink first uses it.
func awayAtFirst(fault func(Faults)) func(*kit) {
	return func(k *kit) {
		fault(k.Faults)
		k.allUnavailable(k.within(brief, k.messages(events("order", 10)...)))
		k.returns(nil)
	}
}

// returns ends the fault and checks that the sink delivers again, and that
// earlier deliveries are still there.
func (k *kit) returns(before []outbox.Message) {
	k.Helper()
	k.Faults.Pass()
	after := k.messages(events("order", 10)...)
	k.deliver(after)
	k.atLeast(append(before, after...))
}

func idleCut(k *kit) {
	ms := k.messages(event("order"))
	k.send(ms)
	k.Faults.Cut()
	after := k.messages(event("order"))
	k.deliver(after)
	k.atLeast(append(ms, after...))
}
