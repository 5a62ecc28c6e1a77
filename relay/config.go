package relay

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/observe"
	"github.com/sendoff-go/outbox/relay/core"
	"github.com/sendoff-go/outbox/retry"
)

// Config configures a relay. The zero value of every field means the default
// that the field documents.
type Config struct {
	// Name is the readable part of the owner name of claims. Default: the host
	// name and the process id.
	Name string
	// Lane applies to every lane; Lanes overrides it by event type, field by
	// field.
	Lane  LaneConfig
	Lanes map[string]LaneConfig
	// LaneFor returns the settings of a lane that Lanes does not name, for
	// example of a type that matches a pattern. It is called once for each
	// lane, must not wake lanes, and must return valid settings; fields that it
	// leaves zero are taken from Lane. Default: none.
	LaneFor func(eventType string) LaneConfig
	// Lease is how long a claim lasts without being renewed. Default 15 s.
	Lease time.Duration
	// HeadStart keeps other relays away from a row that is about to be
	// delivered from memory. Default 5 s.
	HeadStart time.Duration
	// Margin is how much of a lease must be left for a run to start. Default 2
	// s, and at most a third of HeadStart and of Lease.
	Margin time.Duration
	// Delivered says what happens to delivered rows. Default [KeepForRetention].
	Delivered Delivered
	// Retention is how long delivered rows are kept. Default 24 h.
	Retention time.Duration
	// ResolvedRetention is how long resolved dead letters are kept, and
	// AuditRetention how long entries of the audit log are. They are looked for
	// every hour; the relay's role needs DELETE on the table. Default: forever.
	ResolvedRetention time.Duration
	AuditRetention    time.Duration
	// SweepInterval is the pause between two sweeps of rows past their
	// retention. Default 5 s. SweepBatch rows are deleted at a time, without a
	// pause while batches are full. Default 1000.
	SweepInterval time.Duration
	SweepBatch    int
	// DrainTimeout bounds the shutdown. Default 5 s.
	DrainTimeout time.Duration
	// MaxBytes bounds the payload bytes in memory. Default 64 MiB.
	MaxBytes int
	// MaxHeld bounds the claimed events that wait or run, in all lanes
	// together. The relay holds fewer if it delivers fewer within half a lease.
	// Default 10,000.
	MaxHeld int
	// SettleBatch bounds the outcomes of one statement, SettleLinger how long
	// an outcome waits for others to join it. If statements are slow, it waits
	// ten times as long as one takes, up to 50 ms. Defaults 1000 and 5 ms.
	SettleBatch  int
	SettleLinger time.Duration
	// MaxUnsettled bounds the unwritten outcomes: then nothing starts. One type may
	// have as many as are left for the others, that is half of them, and each type
	// may always have one. Default 10,000.
	MaxUnsettled int
	// Unroutable says what happens to events without a destination here.
	// Default [UnroutableWait].
	Unroutable Unroutable
	// Advice is added to the log about events without a destination: it says
	// what to do about them. Default: none.
	Advice string
	// LookInterval is the pause between two checks of which lanes wait and
	// which are paused. Default 5 s.
	LookInterval time.Duration
	// Interceptors see every event, in this order. Default: none.
	Interceptors []outbox.Interceptor
	// Wakers wake the poller, in addition to this process's own writers.
	// Default: none.
	Wakers []driver.Waker
	// Died is called after the commit with events that have become dead letters,
	// from one goroutine at a time. An error is logged and undoes nothing. If the
	// process dies between the commit and the call, or the answer to the commit is
	// lost, there is no call: a program that must not miss any reads the dead
	// letters. Nor is there one for those that find 10,000, or MaxBytes of them,
	// waiting for a slow Died. At a shutdown Died has the drain timeout to return.
	// Default: none.
	Died func(ctx context.Context, batch []Death) error
	// Hooks observe the relay. Default: none.
	Hooks observe.Hooks
	// Logger is for what an operator should know. Default: slog.Default().
	Logger *slog.Logger
	// Version is shown with the instance. Default: none.
	Version string
}

// LaneConfig configures one lane.
type LaneConfig struct {
	// Workers is the number of events, or batches, handled at once. Default 4.
	Workers int
	// HotQueue and ColdQueue bound the events that wait in memory. Default 1000
	// each.
	HotQueue, ColdQueue int
	// NoHotPath leaves all events to the poller. Default: events of writers
	// with the relay's HotPath are delivered right after the commit.
	NoHotPath bool
	// Batch is the number of rows claimed at once. It grows by itself, up to
	// half of ColdQueue, while the lane is behind. Default 50.
	Batch int
	// FairByTenant divides the lane among tenants: however large the backlog of
	// one tenant is, events of another wait for little more than the next claim.
	// Events without a tenant count as one more tenant. The store must be a
	// [driver.FairStore] that PrepareFair was called on. Otherwise the relay does
	// not start; if only LaneFor asks for it, the relay logs an error and delivers
	// the lane in order. Default: one order for all tenants.
	FairByTenant bool
	// Interval is the pause between two polls of an idle lane. Default 5 s.
	Interval time.Duration
	// DeliverBatch bounds the events that a batch listener or a sink gets at
	// once. Default 500.
	DeliverBatch int
	// Timeout is the deadline of one run. Default 5 min.
	Timeout time.Duration
	// MaxAttempts is the number of failed attempts after which an event is
	// dead. Default 25, which with the default of Retry takes about 11 hours.
	MaxAttempts int
	// Retry says how long to wait after a failure. Default
	// [retry.Exponential]{Max: time.Hour}.
	Retry retry.Policy
	// NetworkErrors says how to treat a network error that a listener returns.
	// Default [NetworkIsOutage].
	NetworkErrors NetworkErrors
}

// defaultRetry goes on long enough for a person to notice and fix the problem:
// 25 attempts last a night.
var defaultRetry = retry.Exponential{Max: time.Hour}

// Delivered is what a relay does with delivered rows.
type Delivered int

// The values of [Config.Delivered].
const (
	// KeepForRetention keeps them for [Config.Retention] and then deletes them.
	KeepForRetention Delivered = iota
	// DeleteAtSettle deletes a row when it is delivered.
	DeleteAtSettle
	// KeepForever never deletes them.
	KeepForever
)

// Unroutable is what a relay does with events for which it has no destination.
type Unroutable int

// The values of [Config.Unroutable].
const (
	// UnroutableWait leaves them to another relay, and reports them.
	UnroutableWait Unroutable = iota
	// UnroutableRetry counts a failed attempt.
	UnroutableRetry
	// UnroutableDead gives them up at once.
	UnroutableDead
)

func (c Config) withDefaults() Config {
	if c.Name == "" {
		host, _ := os.Hostname()
		c.Name = fmt.Sprintf("%s-%d", host, os.Getpid())
	}
	c.Lane = c.Lane.over(LaneConfig{
		Workers: 4, HotQueue: 1000, ColdQueue: 1000, Batch: 50, Interval: 5 * time.Second,
		DeliverBatch: 500, Timeout: 5 * time.Minute, MaxAttempts: 25, Retry: defaultRetry, NetworkErrors: NetworkIsOutage,
	})
	c.Lease = cmp.Or(c.Lease, 15*time.Second)
	c.HeadStart = cmp.Or(c.HeadStart, 5*time.Second)
	c.Margin = cmp.Or(c.Margin, 2*time.Second)
	c.Margin = min(c.Margin, c.HeadStart/3, c.Lease/3)
	c.Retention = cmp.Or(c.Retention, 24*time.Hour)
	c.SweepInterval = cmp.Or(c.SweepInterval, 5*time.Second)
	c.SweepBatch = cmp.Or(c.SweepBatch, 1000)
	c.DrainTimeout = cmp.Or(c.DrainTimeout, 5*time.Second)
	c.MaxBytes = cmp.Or(c.MaxBytes, 64<<20)
	c.MaxHeld = cmp.Or(c.MaxHeld, 10_000)
	c.SettleBatch = cmp.Or(c.SettleBatch, 1000)
	c.SettleLinger = cmp.Or(c.SettleLinger, 5*time.Millisecond)
	c.MaxUnsettled = cmp.Or(c.MaxUnsettled, 10_000)
	c.LookInterval = cmp.Or(c.LookInterval, 5*time.Second)
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	return c
}

// core returns the settings that package core needs.
func (c Config) core() core.Config {
	return core.Config{
		Lease: c.Lease, HeadStart: c.HeadStart, Margin: c.Margin,
		MaxBytes: c.MaxBytes, MaxHeld: c.MaxHeld, MaxUnsettled: c.MaxUnsettled,
		SettleBatch: c.SettleBatch, SettleLinger: c.SettleLinger, Unroutable: core.Unroutable(c.Unroutable),
		KeepDead: c.Died != nil,
		Tell:     c.Hooks.Delivered != nil || c.Hooks.Failed != nil || c.Hooks.Dead != nil, TellHot: c.Hooks.HotEnqueued != nil,
	}
}

// core returns the settings that package core needs.
func (c LaneConfig) core() core.LaneConfig {
	hot := c.HotQueue
	if c.NoHotPath {
		hot = 0
	}
	return core.LaneConfig{
		Workers: c.Workers, HotQueue: hot, ColdQueue: c.ColdQueue, Batch: c.Batch, DeliverBatch: c.DeliverBatch,
		MaxAttempts: c.MaxAttempts, Interval: c.Interval, Timeout: c.Timeout, Fair: c.FairByTenant,
	}
}

// over fills the zero fields of c from base.
func (c LaneConfig) over(base LaneConfig) LaneConfig {
	c.Workers = cmp.Or(c.Workers, base.Workers)
	c.HotQueue = cmp.Or(c.HotQueue, base.HotQueue)
	c.NoHotPath = cmp.Or(c.NoHotPath, base.NoHotPath)
	c.ColdQueue = cmp.Or(c.ColdQueue, base.ColdQueue)
	c.Batch = cmp.Or(c.Batch, base.Batch)
	c.FairByTenant = cmp.Or(c.FairByTenant, base.FairByTenant)
	c.Interval = cmp.Or(c.Interval, base.Interval)
	c.DeliverBatch = cmp.Or(c.DeliverBatch, base.DeliverBatch)
	c.Timeout = cmp.Or(c.Timeout, base.Timeout)
	c.MaxAttempts = cmp.Or(c.MaxAttempts, base.MaxAttempts)
	if c.Retry == nil {
		c.Retry = base.Retry
	}
	c.NetworkErrors = cmp.Or(c.NetworkErrors, base.NetworkErrors)
	return c
}

func (c Config) validate() error {
	var errs []error
	bad := func(ok bool, format string, args ...any) {
		if !ok {
			errs = append(errs, fmt.Errorf("relay: "+format, args...))
		}
	}
	bad(c.Lease >= 100*time.Millisecond, "Lease is %s: at least 100ms", c.Lease)
	bad(c.HeadStart >= 100*time.Millisecond, "HeadStart is %s: at least 100ms", c.HeadStart)
	bad(c.Margin > 0, "Margin is %s: it must be positive", c.Margin)
	bad(c.ResolvedRetention >= 0 && c.AuditRetention >= 0, "ResolvedRetention is %s and AuditRetention %s: they must not be negative; leave them zero to keep all", c.ResolvedRetention, c.AuditRetention)
	bad(c.Retention > 0, "Retention is %s: it must be positive; set Delivered to delete rows at once, or never", c.Retention)
	bad(c.Delivered >= KeepForRetention && c.Delivered <= KeepForever, "Delivered is %d: give KeepForRetention, DeleteAtSettle or KeepForever", c.Delivered)
	bad(c.SweepBatch > 0 && c.SweepInterval > 0, "SweepBatch and SweepInterval must be positive")
	bad(c.LookInterval > 0, "LookInterval is %s: it must be positive", c.LookInterval)
	bad(c.DrainTimeout > 0, "DrainTimeout is %s: it must be positive", c.DrainTimeout)
	bad(c.MaxBytes > 0 && c.MaxHeld > 0 && c.SettleBatch > 0 && c.MaxUnsettled > 0, "MaxBytes, MaxHeld, SettleBatch and MaxUnsettled must be positive")
	bad(c.SettleLinger >= 0, "SettleLinger is negative")
	errs = append(errs, c.Lane.validate("Lane")...)
	for name, l := range c.Lanes {
		errs = append(errs, l.over(c.Lane).validate("Lanes["+name+"]")...)
	}
	return errors.Join(errs...)
}

func (c LaneConfig) validate(name string) (errs []error) {
	bad := func(ok bool, format string, args ...any) {
		if !ok {
			errs = append(errs, fmt.Errorf("relay: "+name+": "+format, args...))
		}
	}
	bad(c.Workers > 0, "Workers is %d: it must be positive", c.Workers)
	bad(c.HotQueue > 0, "HotQueue is %d: it must be positive; set NoHotPath to leave all events to the poller", c.HotQueue)
	bad(c.ColdQueue > 0, "ColdQueue is %d: it must be positive", c.ColdQueue)
	bad(c.Batch > 0 && c.DeliverBatch > 0, "Batch and DeliverBatch must be positive")
	bad(c.Interval > 0 && c.Timeout > 0, "Interval and Timeout must be positive")
	bad(c.NetworkErrors == NetworkIsOutage || c.NetworkErrors == NetworkCounts, "NetworkErrors is %d: it must be NetworkIsOutage or NetworkCounts", c.NetworkErrors)
	bad(c.MaxAttempts > 0, "MaxAttempts is %d: 1 gives up after the first failure", c.MaxAttempts)
	return errs
}
