package inboxtest

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/inbox"
)

// player is a ledger with its consumers, one for each group.
type player[Tx any] struct {
	*kit[Tx]
	mu        sync.Mutex
	consumers map[string]*inbox.Consumer[Tx]
}

func newPlayer[Tx any](t testing.TB, s Subject[Tx]) *player[Tx] {
	return &player[Tx]{kit: newKit(t, s), consumers: map[string]*inbox.Consumer[Tx]{}}
}

func (p *player[Tx]) of(group string) *inbox.Consumer[Tx] {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.consumers[group] == nil {
		p.consumers[group] = p.consumer(p.Ledger, group)
	}
	return p.consumers[group]
}

func (p *player[Tx]) consume(ctx context.Context, d delivery) (ran []string, err error) {
	end := error(nil)
	if d.fails {
		end = errPlanned
	}
	err = p.of(d.group).ConsumeBatch(ctx, received(d.ids...), p.effect(d.group, &ran, end))
	return ran, err
}

func (p *player[Tx]) join(ctx context.Context, d delivery) (all []string, err error) {
	tx, commit, rollback, err := p.Ledger.Begin(ctx)
	if err != nil {
		return nil, err
	}
	undo := d.undo && p.Savepoint != nil
	steps := [][]string{d.ids}
	if undo {
		err = p.Savepoint(ctx, tx, "s")
		steps = [][]string{d.ids[:1], d.ids}
	}
	for i, step := range steps {
		fresh, consumeErr := p.of(d.group).ConsumeBatchIn(ctx, tx, received(step...))
		err = errors.Join(err, consumeErr)
		if err == nil {
			err = p.effect(d.group, &all, nil)(ctx, tx, fresh)
		}
		if undo && i == 0 && err == nil {
			err = p.RollbackTo(ctx, tx, "s")
		}
	}
	if err != nil || d.fails {
		return all, errors.Join(err, rollback())
	}
	return all, commit()
}

func (p *player[Tx]) together(ctx context.Context, ds []delivery, atOnce bool) []error {
	errs := make([]error, len(ds))
	var wg sync.WaitGroup
	for i, d := range ds {
		run := func() { _, errs[i] = p.consume(ctx, d) }
		if atOnce {
			wg.Go(run)
		} else {
			run()
		}
	}
	wg.Wait()
	return errs
}

func (p *player[Tx]) forget(ctx context.Context, group string, ids []string) (int, error) {
	if err := p.Age(ctx, group, longAgo, ids...); err != nil {
		return 0, err
	}
	return p.Ledger.Forget(ctx, group, longAgo-time.Hour, 100)
}

func (p *player[Tx]) known(ctx context.Context, group string, ids []string) ([]bool, error) {
	return p.Ledger.Known(ctx, group, ids)
}

func (p *player[Tx]) effects(ctx context.Context, group string) (map[string]int, error) {
	return p.Effects(ctx, group)
}

var _ side = (*player[outbox.Event])(nil)
