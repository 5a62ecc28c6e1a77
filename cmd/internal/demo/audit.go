package demo

import (
	"context"

	"github.com/sendoff-go/outbox/driver"
)

// audit compares, after the relay has ended, what was committed with what was
// delivered, what the dead letters hold, and what people did with those.
func (d *Demo) audit(ctx context.Context) (Summary, error) {
	if err := d.readAudit(ctx, true); err != nil {
		return d.summary(), d.db.Problem("read the audit log", err)
	}
	sum := d.summary()
	missing := sum.Written - sum.Delivered
	seen := map[place]bool{}
	find := func(some []place) (n int64) {
		for _, p := range some {
			if !seen[p] && d.books.missing(p) {
				seen[p] = true
				n++
			}
		}
		missing -= n
		return n
	}
	dead, err := d.dead(ctx)
	if err != nil {
		return sum, d.db.Problem("read the dead letters", err)
	}
	sum.Dead = find(dead) // letters that were corrected and delivered are kept, too
	if missing > 0 {
		// What is still pending will be delivered by the next relay: not lost.
		waiting, err := d.pending(ctx)
		if err != nil {
			return sum, d.db.Problem("count what still waits", err)
		}
		sum.Waiting = find(waiting)
	}
	sum.Deleted = find(d.deleted())
	sum.Lost = max(missing, 0)
	return sum, nil
}

// deleted lists the events whose dead letters a person has deleted.
func (d *Demo) deleted() (all []place) {
	for _, id := range d.people.deleted {
		if p, refused := d.books.refusedAt(id); refused {
			all = append(all, p)
		}
	}
	return all
}

// dead lists the events that have dead letters, including resolved ones.
func (d *Demo) dead(ctx context.Context) (all []place, err error) {
	const page = 500
	for _, resolved := range []bool{false, true} {
		var after *driver.DeadCursor
		for {
			letters, next, err := d.db.Store.ListDead(ctx, driver.DeadFilter{Resolved: resolved}, after, page)
			if err != nil {
				return nil, err
			}
			for _, l := range letters {
				all = append(all, place{l.Event.Type, numberOf(l.Event)})
			}
			if next == nil {
				break
			}
			after = next
		}
	}
	return all, nil
}

// pending lists the events that are not settled.
func (d *Demo) pending(ctx context.Context) ([]place, error) {
	rows, err := d.db.Rows(ctx, "SELECT event_type, aggregate_id FROM "+d.cfg.Events+" WHERE status IN (0, 2)")
	if err != nil {
		return nil, err
	}
	all := make([]place, len(rows))
	for i, r := range rows {
		all[i] = place{r[0], number(r[1])}
	}
	return all, nil
}
