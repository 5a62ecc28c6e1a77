package doctor

import (
	"context"
	"fmt"
	"strconv"
)

// bloat looks for dead row versions and free space.
func (d *Database) bloat(ctx context.Context) (Answer, error) {
	rows, asked, err := d.ask(ctx, "bloat")
	if err != nil || !asked {
		return d.none("figures of dead rows"), err
	}
	var bad, all, do []string
	for _, r := range rows { // what, unit, live, dead, more words, what to do
		live, _ := strconv.ParseFloat(r[2], 64)
		dead, _ := strconv.ParseFloat(r[3], 64)
		least := float64(d.limits.DeadRows)
		if r[1] == "bytes" {
			least = float64(d.limits.FreeBytes)
		}
		share := 0.0
		if dead > 0 {
			share = dead / (live + dead)
		}
		text := fmt.Sprintf("%s: %.0f%% of %.0f %s", r[0], 100*share, live+dead, r[1])
		if r[4] != "" {
			text += ", " + r[4]
		}
		if all = append(all, text); dead >= least && share >= d.limits.DeadShare {
			bad, do = append(bad, text), append(do, r[5])
		}
	}
	if len(bad) > 0 {
		return Warn(some(do), "dead or free: %s", some(bad)), nil
	}
	return Okay("dead or free: %s", some(all)), nil
}
