package console

import (
	"encoding/json"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/sendoff-go/outbox/admin"
)

// overview is the first page.
type overview struct {
	admin.Status
	In, Out, Failing float64 // a second, within the last minute
	Hot              float64 // share of those delivered
	P50, P99         time.Duration
	Stalled          int64 // wait for destinations that are down
	Alerts           []admin.Alert
	Types            []typeRow
	MoreTypes        int
	Timeline         []happening
	Groups           []admin.Group
	Jobs             []admin.Job
	Range            string
	Ranges           []string
	Chart            string // JSON
	Since            time.Time
}

// typeRow is one event type on a page.
type typeRow struct {
	admin.Lane
	Destinations []string
	Out          float64 // a second
	P99          time.Duration
	Spark        []float64
	State        string // "down", "paused", "behind", "unclaimed" or "ok"
}

const (
	now      = time.Minute // what "now" means for rates and latencies
	behindBy = 30.0        // seconds
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
	w := c.recorder.window(now)
	o.Out, o.Failing, o.In = w.perSecond(w.Total.Delivered), w.perSecond(w.Total.Failed), w.perSecond(w.Written)
	if !w.WrittenKnown {
		o.In = math.NaN()
	}
	if w.Total.Delivered > 0 {
		o.Hot = w.Total.Hot / w.Total.Delivered
	}
	o.P50, o.P99 = w.Total.percentile(0.5), w.Total.percentile(0.99)
	all := c.typeRows(o.Status, w)
	for _, t := range all {
		if t.State == "down" {
			o.Stalled += t.Waiting.N
		}
	}
	o.Types, o.MoreTypes = all[:min(len(all), topTypes)], max(len(all)-topTypes, 0)

	for _, a := range alerts.Alerts {
		if a.ResolvedAt == nil {
			o.Alerts = append(o.Alerts, a)
		}
	}
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
	return &view{Screen: "overview", Title: "Overview", Data: o}, err
}

// typeRows are the event types that have something to show: those that wait, were
// delivered or died, the most urgent first.
func (c *Console) typeRows(s admin.Status, w point) []typeRow {
	rows := map[string]*typeRow{}
	of := func(name string) *typeRow {
		if rows[name] == nil {
			rows[name] = &typeRow{Lane: admin.Lane{Type: name}, State: "ok", Out: math.NaN()}
		}
		return rows[name]
	}
	claimed := map[string]bool{}
	for _, in := range s.Relays {
		for _, t := range in.Types {
			claimed[t] = true
			of(t)
		}
	}
	for _, l := range s.Types {
		of(l.Type).Lane = l
	}
	points := c.recorder.over(30 * time.Minute)
	destinations := map[string][]admin.Destination{}
	for _, d := range s.Destinations {
		for _, t := range d.Types {
			destinations[t] = append(destinations[t], d)
		}
	}
	paused := map[string]bool{}
	for _, name := range s.Paused {
		paused[name] = true
	}
	for name, row := range rows {
		f := w.Types[name]
		row.Out, row.P99 = w.perSecond(f.Delivered), f.percentile(0.99)
		row.Spark = sparkOf(points, name, 44)
		states := map[string]bool{}
		for _, d := range destinations[name] {
			row.Destinations, states[d.State] = append(row.Destinations, d.Name), true
		}
		switch {
		case paused[name] || paused["*"], states[admin.DestinationPaused]:
			row.State = "paused"
		case states[admin.DestinationDown]:
			row.State = "down"
		case !claimed[name] && row.Waiting.N > 0:
			row.State = "unclaimed"
		case row.OldestDue > behindBy:
			row.State = "behind"
		}
	}
	out := make([]typeRow, 0, len(rows))
	for _, row := range rows {
		out = append(out, *row)
	}
	slices.SortFunc(out, func(a, b typeRow) int {
		if a.OldestDue != b.OldestDue {
			return int(math.Copysign(1, b.OldestDue-a.OldestDue))
		}
		if a.Dead.N != b.Dead.N {
			return int(math.Copysign(1, float64(b.Dead.N-a.Dead.N)))
		}
		return strings.Compare(a.Type, b.Type)
	})
	return out
}
