package console

import (
	"net/http"

	"github.com/sendoff-go/outbox/admin"
)

type destinationRow struct {
	admin.Destination
	Waiting admin.Count // events of its types
}

func (c *Console) destinationsPage(k *caller, _ *http.Request) (*view, error) {
	var s admin.Status
	if err := k.get("/api/v1/status", nil, &s); err != nil {
		return nil, err
	}
	waiting := map[string]admin.Count{}
	for _, l := range s.Types {
		waiting[l.Type] = admin.Count{N: l.Waiting.N + l.Held.N, More: l.Waiting.More || l.Held.More}
	}
	rows := make([]destinationRow, len(s.Destinations))
	for i, d := range s.Destinations {
		rows[i].Destination = d
		for _, t := range d.Types {
			rows[i].Waiting.N += waiting[t].N
			rows[i].Waiting.More = rows[i].Waiting.More || waiting[t].More
		}
	}
	return &view{Screen: "destinations", Title: "Destinations", Data: rows}, nil
}

// pauseForm asks before something is paused or resumed.
type pauseForm struct {
	Type, Destination string
	All, Resume       bool
	To                string
}

func (c *Console) pausePage(_ *caller, r *http.Request) (*view, error) {
	q := r.URL.Query()
	d := pauseForm{Type: q.Get("type"), Destination: q.Get("destination"), All: q.Get("all") != "", Resume: q.Get("resume") != "", To: "types"}
	if d.Destination != "" {
		d.To = "destinations"
	}
	v := &view{Screen: "pause", Nav: d.To, Title: "Pause", Data: d, NotLive: true}
	if d.Resume {
		v.Title = "Resume"
	}
	if d.Type == "" && d.Destination == "" && !d.All {
		return nil, &refusal{http.StatusUnprocessableEntity, "Name an event type or a destination."}
	}
	return v, nil
}

func setPaused(k *caller, r *http.Request) (string, error) {
	in := struct {
		Types        []string `json:"types,omitempty"`
		Destinations []string `json:"destinations,omitempty"`
		All          bool     `json:"all,omitempty"`
		Note         string   `json:"note,omitempty"`
	}{All: r.PostFormValue("all") != "", Note: r.PostFormValue("note")}
	to := "types"
	if name := r.PostFormValue("type"); name != "" {
		in.Types = []string{name}
	}
	if name := r.PostFormValue("destination"); name != "" {
		in.Destinations, to = []string{name}, "destinations"
	}
	what := "pause"
	if r.PostFormValue("resume") != "" {
		what = "resume"
	}
	var out struct{}
	err := k.call(http.MethodPost, "/api/v1/"+what, in, &out)
	return done(to, what, -1), err
}
