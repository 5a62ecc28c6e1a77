package console

import (
	"net/http"
	"net/url"

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
	return &view{Screen: "destinations", Title: "Destinations", Data: rows, State: &s}, nil
}

// pauseForm asks before something is paused or resumed.
type pauseForm struct {
	Type, Destination string
	All, Resume       bool
	To                string
}

func pauseFormOf(q url.Values) (pauseForm, error) {
	d := pauseForm{Type: q.Get("type"), Destination: q.Get("destination"), All: q.Get("all") != "", Resume: q.Get("resume") != "", To: "types"}
	if d.Destination != "" {
		d.To = "destinations"
	}
	named := 0
	for _, yes := range []bool{d.Type != "", d.Destination != "", d.All} {
		if yes {
			named++
		}
	}
	if named != 1 { // the page names one, and must not stand for two
		return d, &refusal{http.StatusUnprocessableEntity, "Name an event type or a destination."}
	}
	return d, nil
}

func (c *Console) pausePage(k *caller, r *http.Request) (*view, error) {
	if err := operators(k); err != nil {
		return nil, err
	}
	d, err := pauseFormOf(r.URL.Query())
	if err != nil {
		return nil, err
	}
	v := &view{Screen: "pause", Nav: d.To, Title: "Pause", Data: d, NotLive: true}
	if d.Resume {
		v.Title = "Resume"
	}
	return v, nil
}

func setPaused(k *caller, r *http.Request) (string, error) {
	d, err := pauseFormOf(r.PostForm)
	if err != nil {
		return "", err
	}
	in := struct {
		Types        []string `json:"types,omitempty"`
		Destinations []string `json:"destinations,omitempty"`
		All          bool     `json:"all,omitempty"`
		Note         string   `json:"note,omitempty"`
	}{All: d.All, Note: r.PostFormValue("note")}
	if d.Type != "" {
		in.Types = []string{d.Type}
	}
	if d.Destination != "" {
		in.Destinations = []string{d.Destination}
	}
	what := "pause"
	if d.Resume {
		what = "resume"
	}
	var out struct{}
	err = k.call(http.MethodPost, "/api/v1/"+what, in, &out)
	return done(d.To, what, -1), err
}
