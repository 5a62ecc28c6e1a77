package doctor

import (
	"context"
	"strconv"
	"time"
)

// clock compares this machine's with the database's.
func (d *Database) clock(ctx context.Context) (Answer, error) {
	before := d.now()
	rows, asked, err := d.ask(ctx, "clock")
	after := d.now()
	if err != nil || !asked || len(rows) != 1 {
		return Skip("%s has the clock of this machine", d.db.Dialect().Name), err
	}
	micros, err := strconv.ParseFloat(rows[0][0], 64)
	if err != nil {
		return Answer{}, err
	}
	there := time.UnixMicro(int64(micros))
	// The answer was made at some moment between the two.
	var off time.Duration
	switch {
	case there.Before(before):
		off = before.Sub(there)
	case there.After(after):
		off = there.Sub(after)
	}
	if off > d.limits.Clock {
		return Warn("synchronize both clocks (chrony, systemd-timesyncd). Leases and delays use the database's clock alone; occurred_at, logs and --after use this one",
			"the database's clock and this machine's differ by %s", off.Round(time.Millisecond)), nil
	}
	return Okay("the clocks differ by at most %s", (off + after.Sub(before)).Round(time.Millisecond)), nil
}
