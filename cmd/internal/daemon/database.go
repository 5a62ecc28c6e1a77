package daemon

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/cmd/internal/daemon/config"
	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

// DatabaseOptions adds what a configuration says about its database to o.
func DatabaseOptions(c *config.Config, o dburl.Options) dburl.Options {
	t := c.Tables
	o.Driver, o.Conns, o.Create = c.Database.Driver, c.Database.Connections, t.AutoCreate
	o.Tables = sqlstore.Tables{
		Schema: t.Schema, Event: t.Event, DeadLetter: t.DeadLetter, DeadGroup: t.DeadGroup, Control: t.Control,
		Instance: t.Instance, Version: t.Version, Consumed: t.Consumed, Audit: t.Audit, Alert: t.Alert, Job: t.Job, Destination: t.Destination,
	}
	return o
}

// open opens the database and makes sure that its tables are there.
func (d *Daemon) open(ctx context.Context) (*dburl.Handle, error) {
	t, o := d.config.Tables, DatabaseOptions(d.config, d.options.Database)
	db, err := dburl.Open(ctx, d.options.Drivers, d.config.Database.URL, o)
	if err != nil {
		return nil, err
	}
	if t.AutoCreate {
		err = migrate(ctx, db)
	} else {
		err = migrated(ctx, db)
	}
	if err == nil && Fair(d.config) {
		err = db.Store.CheckFair(ctx)
	}
	if err != nil {
		return nil, errors.Join(db.Problem("prepare the tables", err), db.Close())
	}
	return db, nil
}

// Fair reports whether an event type of a configuration is divided among tenants.
func Fair(c *config.Config) bool {
	p := c.Publisher
	for _, e := range p.Events {
		if p.Enabled && e.FairByTenant {
			return true
		}
	}
	return p.Enabled && p.Defaults.FairByTenant
}

// migrate creates and upgrades our tables. One that another program made is
// upgraded by a person: its users would have to wait, perhaps for long.
func migrate(ctx context.Context, db *dburl.Handle) error {
	foreign, err := db.Schema.Adoption(ctx)
	if err != nil {
		return err
	}
	if foreign != nil && len(foreign.Obstacles) == 0 {
		return dburl.NotOurs(foreign)
	}
	return db.Schema.Migrate(ctx)
}

// migrated reports tables that are missing or old.
func migrated(ctx context.Context, db *dburl.Handle) error {
	all, err := db.Schema.MigrationStatus(ctx)
	if err != nil {
		return err
	}
	for _, m := range all {
		if m.AppliedAt.IsZero() {
			return fmt.Errorf("%w: version %d is not applied: run `outbox migrate up`, or set outbox.tables.auto-create to true", outbox.ErrSchema, m.Version)
		}
	}
	return nil
}

// errStopped ends a wait that was asked to end.
var errStopped = errors.New("stopped")

const (
	firstWait = 250 * time.Millisecond
	lastWait  = 5 * time.Second
	// restful is the wait after a look at the tables, as a multiple of how long
	// that took.
	restful = 10
	// remind is how often a wait for the same reason is logged again.
	remind = time.Minute
)

// wait opens the database. It waits for one that is down, or whose tables do not
// exist yet; a wrong URL or login is an error. It returns errStopped if ctx is
// done first.
func (d *Daemon) wait(ctx context.Context) (*dburl.Handle, error) {
	var told string
	var at time.Time
	for pause := firstWait; ; pause = min(2*pause, lastWait) {
		began := time.Now()
		db, err := d.open(ctx)
		if err == nil {
			return db, nil
		}
		if ctx.Err() != nil {
			return nil, errStopped
		}
		var p *dburl.Problem
		if !errors.As(err, &p) || (p.Kind != dburl.Down && p.Kind != dburl.Schema) {
			return nil, err
		}
		if p.Error() != told || time.Since(at) > remind {
			told, at = p.Error(), time.Now()
			d.log.Warn("outbox: waiting for the database", "error", p)
		}
		// After the log, so that whoever reads it here finds the line there.
		d.health.set("waiting for the database: " + p.Error())
		if p.Kind == dburl.Schema { // it may have read a large table
			pause = max(pause, min(restful*time.Since(began), remind))
		}
		if !sleep(ctx, pause) {
			return nil, errStopped
		}
	}
}

// sleep waits for d and reports false if ctx is done first.
func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
