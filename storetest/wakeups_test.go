package storetest

import (
	"context"
	"slices"
	"sync"

	"github.com/sendoff-go/outbox/store/memstore"
)

// bus carries wake-ups, which memstore lacks.
type bus struct {
	mu        sync.Mutex
	listeners map[int]chan []string
	started   int
	inTx      map[*memstore.Tx][]string
}

func (b *bus) send(lanes []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, c := range b.listeners {
		c <- slices.Clone(lanes)
	}
}

func (b *bus) hold(tx *memstore.Tx, lanes []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.inTx == nil {
		b.inTx = map[*memstore.Tx][]string{}
	}
	b.inTx[tx] = append(b.inTx[tx], lanes...)
}

func (b *bus) committed(tx *memstore.Tx) {
	b.mu.Lock()
	lanes, asked := b.inTx[tx]
	delete(b.inTx, tx)
	b.mu.Unlock()
	if asked {
		b.send(lanes)
	}
}

func (b *bus) listen(ctx context.Context, wake func(lanes []string)) error {
	c := make(chan []string, 100)
	b.mu.Lock()
	if b.listeners == nil {
		b.listeners = map[int]chan []string{}
	}
	b.started++
	me := b.started
	b.listeners[me] = c
	b.mu.Unlock()
	defer func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.listeners, me)
	}()
	wake(nil)
	for {
		select {
		case lanes := <-c:
			wake(lanes)
		case <-ctx.Done():
			return nil
		}
	}
}

func (b *broken) Notify(ctx context.Context, lanes []string) error {
	if b.notify != nil {
		return b.notify(ctx, lanes)
	}
	b.bus.send(lanes)
	return nil
}

func (b *broken) NotifyIn(ctx context.Context, tx *memstore.Tx, lanes []string) error {
	if b.notifyIn != nil {
		return b.notifyIn(ctx, tx, lanes)
	}
	b.bus.hold(tx, lanes)
	return nil
}

func (b *broken) Listen(ctx context.Context, wake func(lanes []string)) error {
	if b.listen != nil {
		return b.listen(ctx, wake)
	}
	return b.bus.listen(ctx, wake)
}
