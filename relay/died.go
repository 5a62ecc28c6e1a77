package relay

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay/core"
)

// Death is an event that has become a dead letter.
type Death struct {
	Event       outbox.Event
	Attempts    int
	Destination string // where it was not delivered; "" if it had none
	Error       string
	Failures    []driver.Failure // the last ten
}

// maxDeaths bounds the deaths that wait for [Config.Died].
const maxDeaths = 10_000

// deaths queues deaths for [Config.Died].
type deaths struct {
	mu      sync.Mutex
	waiting []Death
	lost    int
	wake    wakeup
}

func (d *deaths) add(some []Death) {
	d.mu.Lock()
	defer d.mu.Unlock()
	room := max(maxDeaths-len(d.waiting), 0)
	d.lost += max(len(some)-room, 0)
	d.waiting = append(d.waiting, some[:min(len(some), room)]...)
	d.wake.signal()
}

func (d *deaths) take() (some []Death, lost int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	some, lost = d.waiting, d.lost
	d.waiting, d.lost = nil, 0
	return some, lost
}

// settledDeaths queues the deaths of a batch that is settled in the database.
func (r *Relay) settledDeaths(items []*core.Item, decided []core.Outcome, rows []driver.Outcome, stale, locked []driver.Held) {
	if r.cfg.Died == nil {
		return
	}
	var some []Death
	for i, o := range rows {
		if o.Kind != driver.Dead || slices.Contains(stale, o.Held) || slices.Contains(locked, o.Held) {
			continue
		}
		d := Death{Event: decided[i].Event.Clone(), Attempts: o.Attempts, Error: o.Error, Failures: driver.ParseFailures(o.Failures)}
		if items[i].Dest != nil {
			d.Destination = items[i].Dest.Name
		}
		some = append(some, d)
	}
	if len(some) > 0 {
		r.deaths.add(some)
	}
}

// diedLoop calls [Config.Died], one last time with the deaths of the last settle.
func (r *Relay) diedLoop(ctx context.Context) {
	for r.cfg.Died != nil {
		some, lost := r.deaths.take()
		if lost > 0 {
			r.log.Error("outbox: Died is too slow and was not called for some dead letters", "events", lost)
		}
		if len(some) > 0 {
			if !r.tellDied(ctx, some) {
				return
			}
			continue
		}
		if !pause(ctx, time.Hour, r.deaths.wake) {
			if some, _ = r.deaths.take(); len(some) > 0 {
				r.tellDied(ctx, some)
			}
			return
		}
	}
}

// tellDied calls Died, and reports false if the relay ends before it returns.
func (r *Relay) tellDied(ctx context.Context, some []Death) bool {
	began := time.Now()
	own, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	done := make(chan error, 1)
	go func() {
		err := errGoexit // unless it returns
		defer func() {
			if v := recover(); v != nil {
				err = newPanic(v)
			}
			done <- err
		}()
		err = r.cfg.Died(own, some)
	}()
	var err error
	select {
	case err = <-done:
	case <-ctx.Done():
		grace := time.NewTimer(r.cfg.DrainTimeout)
		defer grace.Stop()
		select {
		case err = <-done:
		case <-grace.C:
			r.log.Error("outbox: Died did not return within the drain timeout", "events", len(some), "running", time.Since(began))
			return false
		}
	}
	if err != nil {
		r.log.Error("outbox: Died failed; the dead letters stay as they are", "events", len(some), "error", err)
	}
	return true
}
