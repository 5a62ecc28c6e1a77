package main

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/admin/rates"
	"github.com/sendoff-go/outbox/cmd/internal/screen"
)

// measureWithin is how long status waits until the relays have announced themselves
// again, which they do every 5 s.
const measureWithin = 7 * time.Second

// printRates prints how fast events come in and go out, and attempts fail. It
// compares a state with one that it reads later.
func (a *app) printRates(ctx context.Context, db operator, first admin.Status, at time.Time) error {
	var m rates.Meter
	m.Add(first, at)
	limit := time.NewTimer(measureWithin)
	defer limit.Stop()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for late := false; ; {
		select {
		case <-tick.C:
		case <-limit.C:
			late = true
		case <-ctx.Done():
			return ctx.Err()
		}
		now, err := db.Status(ctx)
		if err != nil {
			return db.Problem("count events", err)
		}
		if !late && !announcedAgain(first, now) {
			continue
		}
		step, known := m.Add(now, time.Now())
		if !known {
			fmt.Fprintln(a.stdout, "Rates are not known: not every relay has announced itself again; see outbox top.")
			return nil
		}
		fmt.Fprintf(a.stdout, "per second: in %s, out %s, failing %s\n", rate(step.In()),
			rate(step.PerSecond(step.Total.Delivered)), rate(step.PerSecond(step.Total.Failed)))
		return nil
	}
}

// announcedAgain reports whether every relay that still runs has announced itself
// since the first state.
func announcedAgain(first, now admin.Status) bool {
	seen := map[string]time.Time{}
	for _, r := range first.Relays {
		seen[r.Owner] = r.SeenAt
	}
	for _, r := range now.Relays {
		if !r.SeenAt.After(seen[r.Owner]) {
			return false
		}
	}
	return true
}

func rate(r float64) string {
	if math.IsNaN(r) {
		return "-"
	}
	return screen.Rate(r)
}
