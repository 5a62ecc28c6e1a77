package demo

import (
	"context"
	"fmt"
	"strconv"

	"github.com/sendoff-go/outbox/driver"
)

// audit compares, after the relay has ended, what was committed with what was
// delivered and what the dead letters hold.
func (d *Demo) audit(ctx context.Context) (Summary, error) {
	sum := d.summary()
	dead, err := d.dead(ctx)
	if err != nil {
		return sum, d.db.Problem("read the dead letters", err)
	}
	sum.Dead = int64(len(dead))
	missing := sum.Written - sum.Delivered
	for _, l := range dead {
		if !d.books.ledgers[l.lane].Delivered(l.number) {
			missing--
		}
	}
	if missing <= 0 {
		return sum, nil
	}
	// What is still pending will be delivered by the next relay: not lost.
	sum.Waiting, err = d.pending(ctx)
	sum.Waiting = min(sum.Waiting, missing)
	sum.Lost = missing - sum.Waiting
	return sum, d.db.Problem("count what still waits", err)
}

type letter struct {
	lane   string
	number int
}

// dead lists the dead letters, each once.
func (d *Demo) dead(ctx context.Context) (map[string]letter, error) {
	const page = 500
	all := map[string]letter{}
	var after *driver.DeadCursor
	for {
		letters, next, err := d.db.Store.ListDead(ctx, driver.DeadFilter{}, after, page)
		if err != nil {
			return nil, err
		}
		for _, l := range letters {
			if d.books.ledgers[l.Event.Type] == nil {
				return nil, fmt.Errorf("a dead letter of type %q is not the demo's", l.Event.Type)
			}
			all[l.Event.ID] = letter{l.Event.Type, numberOf(l.Event)}
		}
		if next == nil {
			return all, nil
		}
		after = next
	}
}

func (d *Demo) pending(ctx context.Context) (int64, error) {
	text, err := d.db.Text(ctx, "SELECT count(*) FROM "+d.cfg.Events+" WHERE status IN (0, 2)")
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(text, 10, 64)
}
