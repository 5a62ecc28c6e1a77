package inboxtest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"

	"github.com/sendoff-go/outbox/driver"
)

func crowdLaws[Tx any]() []Law[Tx] {
	return []Law[Tx]{
		{
			Name:  "consumers of one group at once give one event one effect",
			Why:   "a broker that redelivers while the first consumer still works hands it to a second one",
			Check: check(oneEventManyConsumers[Tx]),
		},
		{
			Name:  "eight consumers of overlapping batches end without an error, each event with one effect",
			Why:   "a database that finds deadlocks would fail deliveries, or never end them",
			Check: check(overlappingBatches[Tx]),
		},
	}
}

// crowd is the number of consumers at once.
const crowd = 8

func oneEventManyConsumers[Tx any](k *kit[Tx]) {
	var wg sync.WaitGroup
	errs := make([]error, crowd)
	for i := range crowd {
		c := k.consumer([]driver.Ledger[Tx]{k.Ledger, k.Peer}[i%2], group)
		wg.Go(func() { errs[i] = c.ConsumeBatch(k.ctx, received("a"), k.effect(group, nil, nil)) })
	}
	wg.Wait()
	k.must(errors.Join(errs...))
	k.expectEffects(1, group, "a")
}

var errPlanned = errors.New("the handler fails, as planned")

func overlappingBatches[Tx any](k *kit[Tx]) {
	const events, size, rounds = 60, 12, 12
	var all []string
	for i := range events {
		all = append(all, fmt.Sprintf("id-%02d", i))
	}
	var wg sync.WaitGroup
	for i := range crowd {
		c := k.consumer([]driver.Ledger[Tx]{k.Ledger, k.Peer}[i%2], group)
		wg.Go(func() {
			for range rounds {
				batch := make([]string, size)
				for j := range batch {
					batch[j] = all[rand.N(events)]
				}
				end := error(nil)
				if rand.N(3) == 0 {
					end = errPlanned
				}
				err := c.ConsumeBatch(k.ctx, received(batch...), k.effect(group, nil, end))
				if err != nil && !errors.Is(err, errPlanned) {
					k.Errorf("consume: %v", err)
				}
			}
		})
	}
	wg.Wait()
	k.consume(k.consumer(k.Ledger, group), group, all...)
	k.expectEffects(1, group, all...)
}
