package relay

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/sendoff-go/outbox"
)

// announceEvery leaves an instance visible as long as it misses no more than
// a few rounds.
const announceEvery = 10 * time.Second

// instanceLoop tells people what runs.
func (r *Relay) instanceLoop(ctx context.Context) {
	store, ok := r.store.(outbox.InstanceStore)
	if !ok {
		return
	}
	for {
		r.mu.Lock()
		lanes := slices.Sorted(maps.Keys(r.lanes))
		r.mu.Unlock()
		if err := store.Announce(ctx, outbox.Instance{Owner: r.owner, Version: r.cfg.Version, Lanes: lanes}); err != nil {
			r.loopError(ctx, "announce", err)
		}
		if !pause(ctx, announceEvery, nil) {
			return
		}
	}
}

func (r *Relay) withdraw(ctx context.Context) {
	if store, ok := r.store.(outbox.InstanceStore); ok {
		if err := store.Withdraw(ctx, r.owner); err != nil {
			r.log.Debug("outbox: could not withdraw the instance", "error", err)
		}
	}
}
