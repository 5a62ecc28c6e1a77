package console

import (
	"net/http"
	"time"

	"github.com/sendoff-go/outbox/admin"
)

const jobsLimit = 50

type jobsView struct {
	Filter          listFilter
	States, Actions []string // to choose from
	Jobs            []admin.Job
	Next            string
	Short           bool // it has looked at as many jobs as it may, and there are more
	First           bool
}

func (c *Console) jobsPage(k *caller, r *http.Request) (*view, error) {
	q := r.URL.Query()
	d := jobsView{Filter: listFilterOf(q, []string{"state", "action"}, nil), States: admin.JobStates(), Actions: admin.JobActions(), First: q.Get("before") == ""}
	query, err := d.Filter.api("before", q.Get("before"), "limit", itoa(jobsLimit))
	var p admin.JobPage
	if err == nil {
		err = k.get("/api/v1/jobs", query, &p)
	}
	d.Jobs, d.Next, d.Short = p.Jobs, p.Next, p.Next != "" && len(p.Jobs) < jobsLimit
	v := &view{Screen: "jobs", Title: "Jobs", Data: d}
	return v, v.correctable(err)
}

type jobView struct {
	admin.Job
	Rate     float64 // rows a second so far
	Left     time.Duration
	MayAllow bool // a second person
}

func (c *Console) jobPage(k *caller, r *http.Request) (*view, error) {
	var d jobView
	if err := k.get("/api/v1/jobs/"+pathSegment(idOf(r)), nil, &d.Job); err != nil {
		return nil, err
	}
	end := d.ChangedAt
	if took := end.Sub(d.CreatedAt).Seconds(); took > 0 && d.DecidedBy == "" {
		d.Rate = float64(handled(d.Job)) / took
	}
	if d.Rate > 0 && d.EndedAt == nil && !bounded(d.Job) {
		d.Left = time.Duration(float64(max(d.Matches.N-handled(d.Job), 0)) / d.Rate * float64(time.Second))
	}
	d.MayAllow = d.State == "waiting" && d.By != k.person.Name
	return &view{Screen: "job", Nav: "jobs", Title: "Job", Data: d}, nil
}

// decideJob cancels or allows a job.
func decideJob(what string) do {
	return func(k *caller, r *http.Request) (string, error) {
		id := idOf(r)
		in := map[string]string{"note": r.PostFormValue("note")}
		var j admin.Job
		err := k.call(http.MethodPost, "/api/v1/jobs/"+pathSegment(id)+"/"+what, in, &j)
		return done(one("jobs/one", id), what, -1), err
	}
}
