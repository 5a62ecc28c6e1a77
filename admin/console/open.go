package console

import (
	"context"

	"github.com/sendoff-go/outbox/admin"
)

// open is how much there is to look after.
type open struct {
	alerts int // that are not muted
	jobs   int
}

// countOpen is what the recorder reads for the menu, among the latest of each.
func (c *Console) countOpen(ctx context.Context) (n open, err error) {
	k := c.caller(ctx, admin.Person{Name: "console", Role: admin.Viewer})
	var alerts admin.AlertList
	var jobs admin.JobPage
	err = together(
		func() error { return k.get("/api/v1/alerts", values("limit", "200"), &alerts) },
		func() error { return k.get("/api/v1/jobs", values("limit", "50"), &jobs) })
	for _, a := range alerts.Alerts {
		if a.ResolvedAt == nil && !muted(a) {
			n.alerts++
		}
	}
	for _, j := range jobs.Jobs {
		if j.EndedAt == nil {
			n.jobs++
		}
	}
	return n, err
}

// openNow returns what was counted last.
func (r *recorder) openNow() open {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.open
}
