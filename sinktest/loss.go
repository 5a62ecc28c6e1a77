package sinktest

import (
	"context"
	"fmt"
	"math"

	"github.com/sendoff-go/outbox"
)

func lossLaws() []Law {
	return []Law{
		{
			Name:    "a connection cut within a batch loses nothing silently",
			Why:     "what was acknowledged is never sent again, so it must be there",
			Applies: hasFaults,
			Check:   check(cutWithin),
		},
		{
			Name:    "a message whose acknowledgement is lost is not delivered",
			Why:     "a write to a socket proves nothing",
			Applies: hasFaults,
			Check:   check(lostAnswers),
		},
		{
			Name:    "one Send delivers a message once, even if its answer is lost",
			Why:     "a client that retries on its own makes needless duplicates, and may deliver a later message before an earlier one",
			Applies: hasFaults,
			Check:   check(sentOnceBlindly),
		},
		{
			Name:    "what arrives late is what was sent",
			Why:     "a client that still sends after it reported a failure must not read buffers that the caller has reused",
			Applies: hasFaults,
			Check:   check(lateArrival),
		},
	}
}

func cutWithin(k *kit) {
	var all []outbox.Message
	for _, n := range []int{1, 3_000, 40_000, 90_000} {
		batch := make([]outbox.Event, 50)
		for i := range batch {
			batch[i] = withPayload(2000)
		}
		ms := k.messages(batch...)
		k.Faults.CutAfter(n)
		var acknowledged, left []outbox.Message
		for i, err := range k.within(brief, ms) {
			if err == nil {
				acknowledged = append(acknowledged, ms[i])
				continue
			}
			k.unavailable(err)
			left = append(left, ms[i])
		}
		k.atLeast(acknowledged)
		k.deliver(left)
		all = append(all, ms...)
	}
	k.Faults.Pass()
	k.atLeast(all)
	if k.Deduplicates {
		k.exactly(all)
	}
}

func lostAnswers(k *kit) {
	before := k.messages(event("order"))
	k.send(before)
	k.Faults.Mute()
	ms := k.messages(events("order", 10)...)
	k.allUnavailable(k.within(brief, ms))
	k.Faults.Pass()
	k.deliver(ms)
	all := append(before, ms...)
	k.atLeast(all)
	if k.Deduplicates {
		k.exactly(all)
	}
}

// sentOnceBlindly loses the answer and the connection, and gives the client a
// chance to retry.
func sentOnceBlindly(k *kit) {
	before := k.messages(event("order"))
	k.send(before)
	k.Faults.Mute()
	ms := k.messages(event("order"))
	ctx, cancel := context.WithTimeout(k.ctx, patience)
	defer cancel()
	answered := make(chan []error, 1)
	go func() { answered <- k.Sink.Send(ctx, ms) }()
	k.arrived(2)
	k.Faults.Cut()
	select {
	case errs := <-answered:
		for _, err := range errs {
			if err != nil {
				k.unavailable(err)
			}
		}
	case <-late(ctx):
		k.Fatalf("Send has not returned %s after the end of its context", grace)
	}
	k.exactly(append(before, ms...))
}

func lateArrival(k *kit) {
	k.send(k.messages(event("order")))
	k.Faults.Hang()
	var es []outbox.Event
	sent := map[string]string{}
	for i := range 10 {
		e := event("order")
		e.JSON = fmt.Appendf(nil, `{"late":%03d}`, i)
		sent[e.ID] = string(e.JSON)
		es = append(es, e)
	}
	ms := k.messages(es...)
	k.allUnavailable(k.within(brief, ms))
	for i := range ms {
		copy(es[i].JSON, `!!!!!!!!!!!!!!!!`)
		clear(ms[i].Headers)
	}
	k.Faults.Pass()
	after := k.messages(event("order"))
	k.deliver(after)
	k.atLeast(after)
	for _, a := range k.Receive(math.MaxInt, quiet) {
		if want, ok := sent[a.EventID]; ok && string(a.Payload) != want {
			k.Errorf("event %q arrived late as %s, but was sent as %s", a.EventID, short(a.Payload), want)
		}
		if a.EventID == "" {
			k.Errorf("a message arrived late, without its headers")
		}
	}
}
