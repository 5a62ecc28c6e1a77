package console

import (
	"net/http"
	"time"

	"github.com/sendoff-go/outbox/admin"
)

const jobsLimit = 50

type jobsView struct {
	Jobs []admin.Job
	Next string
}

func (c *Console) jobsPage(k *caller, r *http.Request) (*view, error) {
	var p admin.JobPage
	if err := k.get("/api/v1/jobs", values("before", r.URL.Query().Get("before"), "limit", itoa(jobsLimit)), &p); err != nil {
		return nil, err
	}
	d := jobsView{Jobs: p.Jobs}
	if n := len(p.Jobs); n == jobsLimit {
		d.Next = p.Jobs[n-1].ID
	}
	return &view{Screen: "jobs", Title: "Jobs", Data: d}, nil
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
