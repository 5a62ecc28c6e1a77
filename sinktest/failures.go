package sinktest

import (
	"strconv"
	"strings"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

func failureLaws() []Law {
	return []Law{
		{
			Name:    "a message that is too large is permanent, and the answer says its size",
			Why:     "no retry makes it smaller, and whoever looks at the dead letter must know how much to cut",
			Applies: func(s Subject) bool { return s.TooLarge > 0 },
			Check:   check(tooLarge),
		},
		{
			Name:    "a message that is too large fails alone",
			Why:     "one poison event must not hold back the events around it",
			Applies: func(s Subject) bool { return s.TooLarge > 0 },
			Check:   check(tooLargeFailsAlone),
		},
		{
			Name:    "a message that cannot be routed is a failure, and the answer names the destination",
			Why:     "acknowledging it would lose it silently, and calling it an outage would keep it out of the dead letters forever",
			Applies: func(s Subject) bool { return s.Unroutable != "" },
			Check:   check(unroutable),
		},
		{
			Name:    "a message that cannot be routed fails alone",
			Why:     "one wrong destination must not hold back the events around it",
			Applies: func(s Subject) bool { return s.Unroutable != "" },
			Check:   check(unroutableFailsAlone),
		},
	}
}

func tooLarge(k *kit) {
	err := k.within(patience, k.messages(withPayload(k.TooLarge)))[0]
	if !outbox.IsPermanent(err) {
		k.Fatalf("answer %q to %d bytes: expected it to be Permanent", errorText(err), k.TooLarge)
	}
	if !strings.Contains(err.Error(), strconv.Itoa(k.TooLarge)) {
		k.Errorf("answer %q does not say the size, %d", err, k.TooLarge)
	}
	ms := k.messages(event("after"))
	k.deliver(ms)
	k.atLeast(ms)
}

func tooLargeFailsAlone(k *kit) {
	ms := k.messages(event("order"), event("order"), withPayload(k.TooLarge), event("size"), event("order"))
	k.failsAlone(ms, 2)
}

func unroutable(k *kit) {
	err := k.within(patience, k.messagesTo(k.Unroutable, event("order")))[0]
	if err == nil || outbox.IsUnavailable(err) {
		k.Fatalf("answer %q: expected a failure of the message itself, not Unavailable", errorText(err))
	}
	if name := driver.DestinationName(k.Unroutable); !strings.Contains(err.Error(), name) {
		k.Errorf("answer %q does not name the destination %q", err, name)
	}
}

func unroutableFailsAlone(k *kit) {
	ms := k.messages(event("order"), event("order"))
	ms = append(ms, k.messagesTo(k.Unroutable, event("order"))...)
	ms = append(ms, k.messages(event("other"), event("order"))...)
	k.failsAlone(ms, 2)
}

// failsAlone sends a batch in which only one message is bad.
func (k *kit) failsAlone(ms []outbox.Message, bad int) {
	k.Helper()
	var good []outbox.Message
	for i, err := range k.within(patience, ms) {
		switch {
		case i != bad:
			good = append(good, ms[i])
			if err != nil {
				k.Errorf("message %d is good, but failed: %v", i, err)
			}
		case err == nil || outbox.IsUnavailable(err):
			k.Errorf("the bad message got answer %q: expected a failure of its own", errorText(err))
		}
	}
	if !k.Failed() {
		k.exactly(good)
	}
}

func errorText(err error) string {
	if err == nil {
		return "delivered"
	}
	return err.Error()
}
