package sinktest

import (
	"math"
	"slices"
	"strconv"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

func certaintyLaws() []Law {
	return []Law{
		{
			Name:    "what arrives although it failed was said to be uncertain",
			Why:     "whoever retries a dead letter must know that its consumer may have it already",
			Applies: hasFaults,
			Check:   check(failedAndArrived),
		},
		{
			Name:    "a message that a hanging server was given is uncertain",
			Why:     "what was written to a socket may arrive at any time",
			Applies: hasFaults,
			Check:   check(uncertainOfHanging),
		},
		{
			Name:    "a message that no server was given is not uncertain",
			Why:     "if every failure may be a delivery, nobody looks at the difference",
			Applies: hasFaults,
			Check:   check(certainOfRefusing),
		},
		{
			Name:    "a message that was refused is not uncertain",
			Why:     "an answer is not lost, and who retries needs no care",
			Applies: func(s Subject) bool { return s.TooLarge > 0 || s.Unroutable != "" },
			Check:   check(certainOfRefused),
		},
	}
}

// keyed returns messages, of which some share a key and others do not.
func (k *kit) keyed() []outbox.Message {
	k.Helper()
	es := events("order", 4)
	for i := range 4 {
		es = append(es, event("other-"+strconv.Itoa(i)))
	}
	return k.messages(es...)
}

// tries is how often a Send may end before anything was sent: on a machine that
// stands still for as long as brief any may, but not each of several.
const tries = 5

func failedAndArrived(k *kit) {
	var ms []outbox.Message
	var errs []error
	arrived := map[string]bool{}
	heard := func() bool {
		for _, a := range k.Receive(math.MaxInt, quiet) {
			arrived[a.EventID] = true
		}
		return slices.ContainsFunc(ms, func(m outbox.Message) bool { return arrived[m.Event.ID] })
	}
	for range tries {
		k.Faults.Pass()
		k.deliver(k.messages(event("order"))) // connected
		k.Faults.Mute()
		batch := k.keyed()
		ms, errs = append(ms, batch...), append(errs, k.within(brief, batch)...)
		if heard() {
			break
		}
	}
	k.Faults.Pass()
	after := k.messages(event("order"))
	k.deliver(after) // and whatever the client still holds
	k.atLeast(after)
	if !heard() {
		k.Fatalf("none of %d messages arrived, though the server heard them", len(ms))
	}
	for i, err := range errs {
		if id := ms[i].Event.ID; err != nil && arrived[id] && !driver.IsUncertain(err) {
			k.Errorf("event %q arrived and got answer %q: expected it to be Uncertain", id, errorText(err))
		}
	}
}

func uncertainOfHanging(k *kit) {
	for range tries {
		k.Faults.Pass()
		k.deliver(k.messages(event("order"))) // connected
		k.Faults.Hang()
		for _, err := range k.within(brief, k.keyed()) {
			k.unavailable(err)
			if driver.IsUncertain(err) {
				return
			}
		}
	}
	k.Error("no answer is Uncertain")
}

// certainOfRefusing lets the first messages on a connection that was cut be
// uncertain: they may have been written before the client noticed. A sink that
// never had a connection has no such excuse.
func certainOfRefusing(k *kit) {
	if k.Faults.Refuse(); !k.Connected {
		k.allCertain(k.within(brief, k.keyed()))
	}
	certain := func() {
		k.Helper()
		k.until("the sink knows that nothing was sent", func() bool {
			return !slices.ContainsFunc(k.within(brief, k.keyed()), func(err error) bool { return err == nil || driver.IsUncertain(err) })
		})
	}
	certain()
	k.Faults.Pass()
	k.deliver(k.messages(event("order")))
	k.Faults.Refuse()
	certain()
}

func certainOfRefused(k *kit) {
	var ms []outbox.Message
	if k.TooLarge > 0 {
		ms = append(ms, k.messages(withPayload(k.TooLarge))...)
	}
	if k.Unroutable != "" {
		ms = append(ms, k.messagesTo(k.Unroutable, event("order"))...)
	}
	k.allCertain(k.within(patience, ms))
}

// allCertain checks that every answer is a failure, and that none is uncertain.
func (k *kit) allCertain(errs []error) {
	k.Helper()
	for _, err := range errs {
		if err == nil || driver.IsUncertain(err) {
			k.Fatalf("answer %q: expected a failure that is not Uncertain", errorText(err))
		}
	}
}
