package daemon

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/cmd/internal/daemon/config"
	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/observe"
	"github.com/sendoff-go/outbox/observe/prom"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/retry"
)

// route registers the event types that have a sender. In a configuration an entry
// is for what no more specific one names.
func (d *Daemon) route() {
	for _, name := range slices.Sorted(maps.Keys(d.config.Publisher.Events)) {
		d.entries.Route(name, nowhere{}, outbox.Otherwise())
		_, s := d.config.SenderOf(name)
		if s == nil {
			continue // a note has told of it
		}
		e := d.config.Publisher.Events[name]
		opts := []outbox.RouteOption{outbox.Otherwise(), outbox.KeyFunc(keyOf(e.Key)), outbox.WithHeaders(e.Headers)}
		if e.Topic != "" {
			opts = append(opts, outbox.To(e.Topic))
		}
		d.reg.Route(name, d.senders[s].sink, opts...)
	}
}

// keyOf reads the key of a message from its event.
func keyOf(from string) func(outbox.Event) string {
	if name, ok := strings.CutPrefix(from, "header:"); ok {
		return func(e outbox.Event) string { return e.Headers[name] }
	}
	switch from {
	case "aggregate-type":
		return func(e outbox.Event) string { return e.AggregateType }
	case "event-id":
		return func(e outbox.Event) string { return e.ID }
	case "event-type":
		return func(e outbox.Event) string { return e.Type }
	case "tenant-id":
		return func(e outbox.Event) string { return e.TenantID }
	case "correlation-id":
		return func(e outbox.Event) string { return e.CorrelationID }
	case "none":
		return func(outbox.Event) string { return "" }
	}
	return func(e outbox.Event) string { return e.AggregateID }
}

// nowhere is a sink that nothing is sent to.
type nowhere struct{}

// Send implements [outbox.Sink].
func (nowhere) Send(context.Context, []outbox.Message) []error { return nil }

// entry is the entry of events that a type belongs to, or "".
func (d *Daemon) entry(eventType string) string {
	if t := d.entries.Lookup("", eventType); t != nil {
		return t.Pattern()
	}
	return ""
}

// laneLabel is the label of an event type in metrics: as many as the
// configuration has entries, and one more.
func (d *Daemon) laneLabel(eventType string) string {
	if e := d.entry(eventType); e != "" {
		return e
	}
	return prom.Other
}

// relay makes the relay of the configuration.
func (d *Daemon) relay(db *dburl.Handle, store driver.Store) (*relay.Relay, error) {
	c, p := d.config, d.config.Publisher
	wakers, err := d.wakers(db)
	if err != nil {
		return nil, err
	}
	cfg := relay.Config{
		Name:          c.InstanceName,
		Lane:          d.lane(p.Defaults),
		Lanes:         map[string]relay.LaneConfig{},
		Lease:         c.Lease.Std(),
		Delivered:     delivered(p.CleanUp),
		Retention:     p.CleanUp.TTL.Std(),
		SweepInterval: p.CleanUp.FixedDelay.Std(),
		SweepBatch:    p.CleanUp.BatchSize,
		DrainTimeout:  c.DrainTimeout.Std(),

		ResolvedRetention: p.DLQ.ResolvedTTL.Std(),
		AuditRetention:    c.Admin.AuditTTL.Std(),

		MaxBytes:   int(p.MaxBytes),
		Unroutable: map[string]relay.Unroutable{"ignore": relay.UnroutableWait, "retry": relay.UnroutableRetry, "dead": relay.UnroutableDead}[p.Unroutable],
		Wakers:     wakers,
		Advice:     "name the type in outbox.publisher.events",
		Hooks:      observe.Tee(d.metrics.Hooks(), d.health.hooks()),
		Logger:     d.log,
		Version:    d.options.Version,
	}
	for name, e := range p.Events {
		if !strings.ContainsAny(name, `*?[\`) {
			cfg.Lanes[name] = d.lane(e.Lane)
		}
	}
	cfg.LaneFor = func(eventType string) relay.LaneConfig {
		if e := p.Events[d.entry(eventType)]; e != nil {
			return d.lane(e.Lane)
		}
		return relay.LaneConfig{}
	}
	return relay.New(store, d.reg, d.traces.relay(cfg))
}

// lane is the settings of one event type. There is no hot path: the events are
// written by other processes.
func (d *Daemon) lane(l config.Lane) relay.LaneConfig {
	workers := d.config.ThreadPool
	if workers == 0 {
		workers = min(runtime.NumCPU(), 5)
	}
	return relay.LaneConfig{
		Workers:      workers,
		NoHotPath:    true,
		ColdQueue:    max(l.QueueCapacity, l.BatchSize),
		Batch:        l.BatchSize,
		DeliverBatch: l.BatchSize,
		FairByTenant: l.FairByTenant,
		Interval:     l.FixedDelay.Std(),
		Timeout:      d.config.Publisher.StuckRecovery.MaxBatchTime.Std(),
		MaxAttempts:  l.MaxRetries + 1,
		Retry:        policy(l.Backoff),
	}
}

func policy(b config.Backoff) retry.Policy {
	if !b.Enabled || b.Delay == 0 {
		return retry.Fixed(b.Delay)
	}
	return retry.Exponential{
		Base: b.Delay.Std(), Multiplier: b.Multiplier,
		Max: b.MaxDelay.Std(), Uncapped: b.MaxDelay == 0, Jitter: b.Jitter, NoJitter: b.Jitter == 0,
	}
}

func delivered(c config.CleanUp) relay.Delivered {
	switch {
	case !c.Enabled:
		return relay.KeepForever
	case c.TTL == 0:
		return relay.DeleteAtSettle
	}
	return relay.KeepForRetention
}

// wakers are the database's own, if it has one.
func (d *Daemon) wakers(db *dburl.Handle) ([]driver.Waker, error) {
	c := d.config.Database
	if !c.Notify || db.Waker == nil {
		return nil, nil
	}
	waker, err := db.Waker(c.ListenURL)
	if err != nil {
		return nil, fmt.Errorf("outbox.database.listen-url: %w", err)
	}
	return []driver.Waker{waker}, nil
}
