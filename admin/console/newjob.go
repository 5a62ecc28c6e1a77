package console

import (
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/sendoff-go/outbox/admin"
)

// newJob is the form of a job on delivered events: to deliver them again, or to
// erase what they said.
type newJob struct {
	Action              string
	Type, Tenant, Key   string
	Destination         string
	After, Before, Note string
	Rate                string
	NewIDs              bool
	Counted             bool
	Matches             admin.Count
	Types               []string // to choose from
	Destinations        []string // to choose from
	// Lanes are the event types that the destination stood for when they were
	// counted, and AlsoTo are their other destinations.
	Lanes, AlsoTo []string
}

// jobBody is what starts a job.
type jobBody struct {
	Filter *admin.Filter `json:"filter,omitempty"`
	NewIDs bool          `json:"new_ids,omitempty"`
	Types  []string      `json:"types,omitempty"`
	DryRun bool          `json:"dry_run,omitempty"`
	Rate   int           `json:"rate,omitempty"`
	Note   string        `json:"note,omitempty"`
}

func newJobOf(v url.Values) newJob {
	return newJob{
		Action: v.Get("action"), Type: v.Get("type"), Tenant: v.Get("tenant"), Key: v.Get("key"), After: v.Get("after"), Before: v.Get("before"),
		Note: v.Get("note"), Rate: v.Get("rate"), NewIDs: v.Get("new_ids") != "",
		Destination: v.Get("destination"), Lanes: v["lane"],
	}
}

// body is what the form asks for.
func (j *newJob) body() (b jobBody, err error) {
	b = jobBody{NewIDs: j.NewIDs, Types: j.Lanes, Note: j.Note}
	if j.Rate != "" {
		if b.Rate, err = strconv.Atoi(j.Rate); err != nil {
			return b, &refusal{http.StatusUnprocessableEntity, "The rate is not a number."}
		}
	}
	f := admin.Filter{Type: j.Type, Destination: j.Destination, Tenant: j.Tenant, Key: j.Key}
	if f.After, err = moment(j.After); err != nil {
		return b, err
	}
	if f.Before, err = moment(j.Before); err != nil {
		return b, err
	}
	switch {
	case f != (admin.Filter{}):
		b.Filter = &f
		return b, nil
	case j.Action == "erase":
		return b, &refusal{http.StatusUnprocessableEntity, "Fill in a tenant or a key first."}
	}
	return b, &refusal{http.StatusUnprocessableEntity, "Fill in what to replay first: a type, a destination, a tenant, a key or a time."}
}

// moment reads a time of a form; nil is none.
func moment(text string) (*time.Time, error) {
	at, err := parseTime(text)
	if err != nil || at.IsZero() {
		return nil, err
	}
	return &at, nil
}

func (c *Console) newJobPage(k *caller, r *http.Request) (*view, error) {
	j := newJobOf(r.URL.Query())
	if j.Action != "replay" && j.Action != "erase" {
		j.Action = "replay"
	}
	role := admin.Operator
	if j.Action == "erase" {
		role = admin.Admin
	}
	if err := atLeast(k, role); err != nil {
		return nil, err
	}
	j.Types, j.Destinations = c.choices()
	v := &view{Screen: "newjob", Nav: "jobs", Title: "Replay", NotLive: true}
	if j.Action == "erase" {
		v.Title = "Erase"
	}
	if r.URL.Query().Has("count") {
		b, err := j.body()
		if err == nil {
			b.DryRun, b.Types = true, nil
			var out admin.StartedJob
			err = k.call(http.MethodPost, "/api/v1/jobs/"+j.Action, b, &out)
			j.Counted, j.Matches, j.Lanes, j.AlsoTo = err == nil, out.Matches, out.Types, out.AlsoTo
		}
		if err != nil {
			v.Problem = err.Error()
		}
	}
	v.Data = j
	return v, nil
}

func startJob(k *caller, r *http.Request) (string, error) {
	j := newJobOf(r.PostForm)
	b, err := j.body()
	if err != nil {
		return "", err
	}
	var out admin.StartedJob
	if err := k.call(http.MethodPost, "/api/v1/jobs/"+pathSegment(j.Action), b, &out); err != nil {
		return "", err
	}
	return startedAt(out.Job), nil
}
