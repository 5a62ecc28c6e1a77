package sinktest

import (
	"fmt"
	"slices"

	"github.com/sendoff-go/outbox"
)

func orderLaws() []Law {
	return []Law{
		{
			Name:  "messages of one key arrive in their order",
			Why:   "an order that is paid before it is placed confuses every consumer",
			Check: check(keyOrder),
		},
		{
			Name:  "batches sent one after the other arrive in that order",
			Why:   "the next event of an aggregate is sent as soon as the one before it is acknowledged",
			Check: check(batchOrder),
		},
	}
}

func keyOrder(k *kit) {
	const keys, each = 7, 40
	var es []outbox.Event
	for range each {
		for key := range keys {
			es = append(es, event(fmt.Sprint("order-", key)))
		}
	}
	ms := k.messages(es...)
	k.send(ms)
	k.exactly(ms)
	k.inOrder(ms)
}

func batchOrder(k *kit) {
	var ms []outbox.Message
	for range 20 {
		batch := k.messages(events("order", 5)...)
		k.send(batch)
		ms = append(ms, batch...)
	}
	k.exactly(ms)
	k.inOrder(ms)
}

// inOrder checks that the messages of each key arrived in the order of ms.
func (k *kit) inOrder(ms []outbox.Message) {
	k.Helper()
	keys := map[string]string{}
	want, got := map[string][]string{}, map[string][]string{}
	for _, m := range ms {
		keys[m.Event.ID] = m.Key
		want[m.Key] = append(want[m.Key], m.Event.ID)
	}
	for _, a := range k.arrived(len(ms)) {
		key := keys[a.EventID]
		got[key] = append(got[key], a.EventID)
	}
	for key := range want {
		if !slices.Equal(got[key], want[key]) {
			k.Errorf("the messages of key %q arrived out of order", key)
		}
	}
}
