package console

import (
	"encoding/json"
	"net/http"
	"slices"
	"time"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/admin/rates"
	"github.com/sendoff-go/outbox/driver"
)

// overview is the first page.
type overview struct {
	admin.Status
	In, Out, Failing float64 // a second, within the last minute
	Hot              float64 // share of those delivered
	P50, P99         time.Duration
	Stalled          admin.Count // wait for destinations that are down
	Alerts           []admin.Alert
	Types            []typeRow
	MoreTypes        int
	Timeline         []entry
	Groups           []admin.Group
	Jobs             []admin.Job
	Range            string
	Ranges           []string
	Chart            string // JSON
	Since            time.Time
}

// typeRow is one event type on a page.
type typeRow struct {
	rates.TypeRates
	Spark []float64
}

const (
	nowadays = time.Minute // what "now" means for rates and latencies
	topTypes = 12
)

var ranges = map[string]time.Duration{"30m": 30 * time.Minute, "1h": time.Hour, "24h": 24 * time.Hour}

func (c *Console) overview(k *caller, r *http.Request) (*view, error) {
	var o overview
	var alerts admin.AlertList
	var groups admin.GroupPage
	var jobs admin.JobPage
	err := together(
		func() error { return k.get("/api/v1/status", nil, &o.Status) },
		func() error { return k.get("/api/v1/alerts", values("limit", "50"), &alerts) },
		func() error { return k.get("/api/v1/dead-letter-groups", values("limit", "5"), &groups) },
		func() error { return k.get("/api/v1/jobs", values("limit", "20"), &jobs) },
		func() (err error) {
			o.Timeline, err = c.timeline(k, 12)
			return err
		})
	if err != nil {
		return nil, err
	}
	w := c.recorder.window()
	o.Out, o.Failing, o.In = w.PerSecond(w.Total.Delivered), w.PerSecond(w.Total.Failed), w.In()
	if w.Total.Delivered > 0 {
		o.Hot = w.Total.Hot / w.Total.Delivered
	}
	o.P50, o.P99 = w.Total.Percentile(0.5), w.Total.Percentile(0.99)
	all := c.typeRows(o.Status, w)
	for _, t := range all {
		if t.State == rates.Down {
			o.Stalled.N += t.Waiting.N
			o.Stalled.More = o.Stalled.More || t.Waiting.More
		}
	}
	o.Types, o.MoreTypes = all[:min(len(all), topTypes)], max(len(all)-topTypes, 0)

	for _, a := range alerts.Alerts {
		if a.ResolvedAt == nil {
			o.Alerts = append(o.Alerts, a)
		}
	}
	slices.SortStableFunc(o.Alerts, worse)
	o.Groups = groups.Groups
	for _, j := range jobs.Jobs {
		if j.EndedAt == nil {
			o.Jobs = append(o.Jobs, j)
		}
	}
	o.Range, o.Ranges, o.Since = r.URL.Query().Get("range"), []string{"30m", "1h", "24h"}, c.started
	if ranges[o.Range] == 0 {
		o.Range = "30m"
	}
	text, err := json.Marshal(chartOf(c.recorder.over(ranges[o.Range])))
	o.Chart = string(text)
	return &view{Screen: "overview", Title: "Overview", Data: o, State: &o.Status}, err
}

// worse sorts alerts: what is muted comes last, and what is critical first.
func worse(a, b admin.Alert) int {
	rank := func(a admin.Alert) int {
		switch {
		case muted(a):
			return 2
		case a.Severity != driver.SeverityCritical:
			return 1
		}
		return 0
	}
	return rank(a) - rank(b)
}

// typeRows are the event types that have something to show, the most urgent first.
func (c *Console) typeRows(s admin.Status, w rates.Step) []typeRow {
	points := c.recorder.over(30 * time.Minute)
	all := rates.ByType(s, w)
	rows := make([]typeRow, len(all))
	for i, t := range all {
		rows[i] = typeRow{t, sparkOf(points, t.Type, 44)}
	}
	return rows
}
