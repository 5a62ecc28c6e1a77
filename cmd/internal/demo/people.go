package demo

import (
	"context"
	"time"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/driver"
)

// people is what people did, according to the audit log. It is not safe for
// concurrent use.
type people struct {
	seen    map[int64]bool // entries; one may be committed after a later one
	acted   bool           // and not only the demo's own
	deleted []string       // ids of dead letters
}

// followPeople reads the audit log until ctx is done, so that what people ask for
// is not taken for a duplicate.
func (d *Demo) followPeople(ctx context.Context) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-d.books.changed:
		case <-ctx.Done():
			return
		}
		_ = d.readAudit(ctx, false) // the log is read again, in full, at the end
	}
}

// readAudit reads the latest entries of the audit log, or all of them. An entry is
// committed together with its change, so it is there before any effect.
func (d *Demo) readAudit(ctx context.Context, all bool) error {
	const page = 200
	for before := int64(0); ; {
		some, _, err := d.db.Store.ListAudit(ctx, driver.AuditFilter{}, before, page)
		if err != nil {
			return err
		}
		for _, e := range some {
			if !d.people.seen[e.ID] {
				d.people.seen[e.ID] = true
				d.people.acted = d.people.acted || e.By != onCall
				d.note(e)
			}
		}
		if !all || len(some) < page {
			return nil
		}
		before = some[len(some)-1].ID
	}
}

func (d *Demo) note(e driver.AuditEntry) {
	switch e.Action {
	case driver.AuditRetry, driver.AuditReplay, driver.AuditEdit:
		d.books.ask(e.Subjects)
	case driver.AuditDelete:
		d.people.deleted = append(d.people.deleted, e.Subjects...)
	}
}

// pausedTypes returns the event types that are paused, or whose destination is.
func (d *Demo) pausedTypes(ctx context.Context) (map[string]bool, error) {
	pauses, err := d.db.Store.Paused(ctx)
	if err != nil || len(pauses) == 0 {
		return nil, err
	}
	relays, err := d.db.Store.Instances(ctx)
	if err != nil {
		return nil, err
	}
	all := map[string]bool{}
	for _, name := range types {
		all[name] = driver.LanePaused(pauses, name)
	}
	for _, to := range admin.DestinationsOf(relays, pauses) {
		for _, name := range to.Types {
			all[name] = all[name] || to.State == admin.DestinationPaused
		}
	}
	for name, paused := range all {
		if !paused {
			delete(all, name)
		}
	}
	return all, nil
}
