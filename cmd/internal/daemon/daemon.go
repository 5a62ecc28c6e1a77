package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/admin/console"
	"github.com/sendoff-go/outbox/admin/oidc"
	"github.com/sendoff-go/outbox/cmd/internal/daemon/config"
	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/observe/otel"
	"github.com/sendoff-go/outbox/relay"
)

// Options are what a daemon is given beside its configuration.
type Options struct {
	// Drivers are the databases that it knows.
	Drivers []dburl.Driver
	// Database says how to open the database, beside what the configuration says.
	Database dburl.Options
	// Logger gets the log. Default: slog.Default().
	Logger *slog.Logger
	// Version is shown beside the instance. Default: none.
	Version string
}

// Daemon is one process that delivers what applications INSERT. Make one with
// [New] and call [Daemon.Run] or [Daemon.Once], once.
type Daemon struct {
	config  *config.Config
	options Options
	log     *slog.Logger
	senders senders
	reg     *outbox.Registry // entries that have a sender
	entries *outbox.Registry // all entries
	metrics *metrics
	traces  *telemetry // nil: off
	health  *health
	webhook *webhook   // of alerts; nil: none
	whoever admin.Auth // may use the REST API; nil: nobody
	issuer  *oidc.Provider
	api     atomic.Pointer[http.Handler]
	console atomic.Pointer[console.Console]
}

// New makes a daemon. It waits for no connection: its error is about the
// configuration, as [config.Problems] where it is the user's.
func New(c *config.Config, o Options) (*Daemon, error) {
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	if c.Telemetry.Enabled {
		o.Logger = slog.New(otel.LogHandler(o.Logger.Handler()))
	}
	d := &Daemon{config: c, options: o, log: o.Logger, reg: outbox.NewRegistry(), entries: outbox.NewRegistry(), health: newHealth()}
	wrong := d.checkDatabase()
	if c.Publisher.Enabled {
		made, more := openSenders(c, d.log)
		if wrong = append(wrong, more...); len(wrong) > 0 {
			_ = made.close() // none was used
			wrong.Sort()
			return nil, wrong
		}
		d.senders = made
		d.route()
		if err := d.reg.Err(); err != nil {
			return nil, errors.Join(err, made.close())
		}
	}
	if len(wrong) > 0 {
		return nil, wrong
	}
	var err error
	if d.webhook, err = openWebhook(c.Alerts); err != nil {
		return nil, errors.Join(c.Wrong("alerts.webhook", ": %v", err), d.senders.close())
	}
	if d.whoever, err = d.auth(); err != nil {
		return nil, errors.Join(err, d.senders.close())
	}
	d.metrics = newMetrics(c, d.laneLabel)
	return d, nil
}

// Run waits for the database, then delivers until ctx is done and drains. It
// returns nil after a shutdown in which everything that was begun was ended.
func (d *Daemon) Run(ctx context.Context) (err error) {
	defer func() { err = errors.Join(err, d.senders.close(), d.webhook.close()) }()
	if err := d.startTelemetry(ctx); err != nil {
		return err
	}
	defer d.traces.shutdown()
	stop, err := d.serve(ctx)
	if err != nil {
		return err
	}
	defer stop()
	defer d.reach(ctx)()
	db, err := d.wait(ctx)
	if errors.Is(err, errStopped) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() {
		stop() // no request may find the database closed
		d.traces.shutdown()
		err = errors.Join(err, db.Close())
	}()
	if err := d.offer(ctx, db); err != nil {
		return err
	}
	d.health.connected(db) // only now is the API ready to answer
	context.AfterFunc(ctx, func() { d.health.set("shutting down") })
	counts := &toldCounts{store: db.Store, log: d.log}
	d.metrics.CountIn(counts)
	d.traces.countIn(counts)

	working, end := context.WithCancel(ctx)
	defer end()
	var parts sync.WaitGroup
	w, err := d.watcher(db)
	if err != nil {
		return err
	}
	if w != nil {
		parts.Go(func() { w.Run(working) })
	}
	j, err := d.jobs(db)
	if err != nil {
		return err
	}
	if j != nil {
		parts.Go(func() { j.Run(working) })
	}
	if c := d.console.Load(); c != nil {
		parts.Go(func() { c.Run(working) })
	}
	if c := d.cleaner(db); c != nil {
		parts.Go(func() { c.run(working) })
	}
	if d.config.Publisher.Enabled {
		err = d.deliver(ctx, db)
	} else {
		<-ctx.Done()
	}
	end() // also if nothing can be delivered: half a daemon would look healthy
	parts.Wait()
	return err
}

func (d *Daemon) deliver(ctx context.Context, db *dburl.Handle) error {
	r, err := d.relay(db, d.gate(db.Store, true))
	if err != nil {
		return err
	}
	d.log.Info("outbox: delivering", "relay", r.Owner(), "database", db.Name(ctx), "event_types", d.reg.Types())
	var before atomic.Int64 // those of lost leases
	defer context.AfterFunc(ctx, func() { before.Store(d.senders.cancelled()) })()
	err = r.Run(ctx)
	if err != nil && !errors.Is(err, relay.ErrStillRunning) {
		return err
	}
	if n := d.senders.unfinished() - before.Load(); n > 0 { // the same in the words of the configuration
		return fmt.Errorf("%d of the sends did not finish within outbox.drain-timeout (%s), so their events will be sent again and may arrive twice: raise it", n, d.config.DrainTimeout)
	}
	if err != nil {
		return err
	}
	d.log.Info("outbox: drained")
	return nil
}

// Once delivers what is due, cleans up the ids of consumed events if that is
// configured, and returns. It waits neither for the database nor for an
// initial-delay.
func (d *Daemon) Once(ctx context.Context) (rep relay.Report, err error) {
	defer func() { err = errors.Join(err, d.senders.close()) }()
	if err := d.startTelemetry(ctx); err != nil {
		return rep, err
	}
	defer d.traces.shutdown()
	db, err := d.open(ctx)
	if err != nil {
		return rep, err
	}
	defer func() {
		d.traces.shutdown() // which counts in the database
		err = errors.Join(err, db.Close())
	}()
	d.traces.countIn(&toldCounts{store: db.Store, log: d.log})
	if d.config.Publisher.Enabled {
		r, err := d.relay(db, d.gate(db.Store, false))
		if err != nil {
			return rep, err
		}
		if rep, err = r.RunOnce(ctx); err != nil {
			return rep, db.Problem("", err)
		}
	}
	if c := d.cleaner(db); c != nil {
		err = c.round(ctx)
	}
	return rep, db.Problem("", err)
}
