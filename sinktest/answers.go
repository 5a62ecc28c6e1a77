package sinktest

import (
	"context"
	"sync"

	"github.com/sendoff-go/outbox"
)

func answerLaws() []Law {
	return []Law{
		{
			Name:  "an empty batch is a no-op",
			Why:   "an interceptor may take every event out of a batch",
			Check: check(emptyBatch),
		},
		{
			Name:  "what was sent once arrives once",
			Why:   "a duplicate without a failure breaks the promise of the outbox",
			Check: check(sentOnce),
		},
		{
			Name:  "a batch may be much larger than a message",
			Why:   "the relay limits a batch by count, not by what a broker accepts",
			Check: check(largeBatch),
		},
		{
			Name:  "sends may run at the same time",
			Why:   "several workers share one sink",
			Check: check(concurrentSends),
		},
		{
			Name:  "a replay arrives even if the event arrived before",
			Why:   "a replayed dead letter must be sent; if the server drops it as a duplicate, the sink reports a delivery that never happened",
			Check: check(replayed),
		},
		{
			Name:  "two events that share an id both arrive",
			Why:   "writers choose their ids, and two services may choose the same one",
			Check: check(sharedID),
		},
		{
			Name:  "the caller may reuse its buffers when Send has returned",
			Why:   "a client that still reads them sends one event's bytes under another's id",
			Check: check(reusedBuffers),
		},
	}
}

func emptyBatch(k *kit) {
	for _, batch := range [][]outbox.Message{nil, {}} {
		if errs := k.within(patience, batch); len(errs) != 0 {
			k.Errorf("answers %v to an empty batch", errs)
		}
	}
	if as := k.Receive(1, quiet); len(as) != 0 {
		k.Errorf("%d messages arrived, none was sent", len(as))
	}
}

func sentOnce(k *kit) {
	var ms []outbox.Message
	for _, n := range []int{1, 2, 500, 1} {
		batch := k.messages(events("order", n)...)
		k.send(batch)
		ms = append(ms, batch...)
	}
	k.exactly(ms)
}

func largeBatch(k *kit) {
	const n = 60
	es := make([]outbox.Event, n)
	for i := range es {
		es[i] = withPayload(64 << 10)
	}
	ms := k.messages(es...)
	k.send(ms)
	k.exactly(ms)
}

func concurrentSends(k *kit) {
	const senders, batches, size = 8, 5, 20
	var all []outbox.Message
	var wg sync.WaitGroup
	failed := make(chan error, senders)
	ctx, cancel := context.WithTimeout(k.ctx, patience)
	defer cancel()
	for i := range senders {
		var own [][]outbox.Message
		for range batches {
			batch := k.messages(events(string(rune('a'+i)), size)...)
			own, all = append(own, batch), append(all, batch...)
		}
		wg.Go(func() {
			for _, batch := range own {
				for _, err := range k.Sink.Send(ctx, batch) {
					if err != nil {
						failed <- err
						return
					}
				}
			}
		})
	}
	wg.Wait()
	select {
	case err := <-failed:
		k.Fatalf("a message was not delivered: %v", err)
	default:
	}
	k.exactly(all)
	k.inOrder(all)
}

func replayed(k *kit) {
	var ms []outbox.Message
	for seq := range int64(3) {
		batch := k.messages(event("order"), event("order"))
		for i := range batch {
			if seq > 0 { // a replay is a new row of the same event
				batch[i] = ms[i]
			}
			batch[i].Delivery = outbox.Delivery{EventID: batch[i].Event.ID, Attempt: 1, Seq: 100*seq + int64(i) + 1}
		}
		k.send(batch)
		ms = append(ms, batch...)
	}
	k.everyOne(ms)
}

func sharedID(k *kit) {
	ours, theirs := event("order"), event("order")
	theirs.ID = ours.ID
	ms := k.messages(ours, theirs)
	for i := range ms { // the first event of either database
		ms[i].Delivery = outbox.Delivery{EventID: ours.ID, Attempt: 1, Seq: 1}
		k.send(ms[i : i+1])
	}
	k.everyOne(ms)
}

// everyOne checks that all messages arrived, though some share an id.
func (k *kit) everyOne(ms []outbox.Message) {
	k.Helper()
	if as := k.Receive(len(ms), patience); len(as) != len(ms) {
		k.Errorf("%d messages arrived, %d were acknowledged", len(as), len(ms))
	}
}

func reusedBuffers(k *kit) {
	payload := []byte(`{"first":1}`)
	e := event("order")
	e.JSON = payload
	e.Headers = map[string]string{"own": "first"}
	ms := k.messages(e)
	sent := ms[0]
	sent.Event = e.Clone()
	sent.Headers = map[string]string{}
	k.send(ms)
	copy(payload, `!!!!!!!!!!!`)
	clear(ms[0].Headers)
	ms[0] = outbox.Message{}
	a := k.exactly([]outbox.Message{sent})[e.ID]
	if a.Headers["own"] != "first" {
		k.Errorf("header %q, expected what was sent", a.Headers["own"])
	}
}
