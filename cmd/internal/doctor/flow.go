package doctor

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// relays looks for those that run.
func (d *Database) relays(ctx context.Context) (Answer, error) {
	all, err := d.db.Store.Instances(ctx)
	if err != nil {
		return Answer{}, d.db.Problem("", err)
	}
	if len(all) == 0 {
		stats, err := d.db.Store.Stats(ctx)
		if err != nil {
			return Answer{}, d.db.Problem("", err)
		}
		const do = "start a relay: `outbox relay`, or the application that has one; if it runs, it uses another database, schema or table name"
		if stats.OldestDue > 0 {
			return Fail(do, "no relay is alive, and an event has waited for %s", stats.OldestDue.Round(time.Second)), nil
		}
		return Warn(do, "no relay is alive; no event is due"), nil
	}
	var names, versions []string
	for _, in := range all {
		names = append(names, string(in.Owner))
		if !slices.Contains(versions, in.Version) {
			versions = append(versions, in.Version)
		}
	}
	if len(versions) > 1 {
		return Warn("finish the roll-out, unless one is under way", "%d relays of the versions %s", len(all), strings.Join(versions, ", ")), nil
	}
	return Okay("%s: %s", counting(len(all), "relay is alive", "relays are alive"), some(names)), nil
}

// lanes looks for event types that wait and that no relay claims.
func (d *Database) lanes(ctx context.Context) (Answer, error) {
	stats, err := d.db.Store.Stats(ctx)
	if err != nil {
		return Answer{}, d.db.Problem("", err)
	}
	relays, err := d.db.Store.Instances(ctx)
	if err != nil {
		return Answer{}, d.db.Problem("", err)
	}
	paused, err := d.db.Store.Paused(ctx)
	if err != nil {
		return Answer{}, d.db.Problem("", err)
	}
	claimed := map[string]bool{}
	for _, in := range relays {
		for _, lane := range in.Lanes {
			claimed[lane] = true
		}
	}
	shut := driver.Pauses(paused, driver.DestinationPause)
	var orphans, stopped []string
	behind := false
	waiting := 0
	for _, l := range stats.Lanes {
		if l.OldestDue > 0 {
			waiting++
		}
		switch late := l.OldestDue > d.limits.Unclaimed; {
		case late && driver.LanePaused(paused, l.Lane):
			stopped = append(stopped, fmt.Sprintf("%s for %s", l.Lane, l.OldestDue.Round(time.Second)))
		case late && !claimed[l.Lane]:
			orphans = append(orphans, fmt.Sprintf("%s for %s", l.Lane, l.OldestDue.Round(time.Second)))
		case late:
			behind = true
		}
	}
	switch {
	case len(orphans) > 0:
		return Fail("register a listener or a route for it, or name it in outbox.publisher.events; or start the relay that does",
			"events are waiting that no live relay claims: %s", some(orphans)), nil
	case len(stopped) > 0:
		return Warn("run `outbox resume` when the reason is gone; `outbox audit` says who paused it and why", "paused events are waiting: %s", some(stopped)), nil
	case behind && len(shut) > 0:
		return Warn("run `outbox resume --destination` when the reason is gone; `outbox audit` says who paused it and why", "events are waiting while destinations are paused: %s", some(shut)), nil
	}
	return Okay("%s due events, each claimed by a relay or younger than %s", counting(waiting, "event type has", "event types have"), d.limits.Unclaimed), nil
}
