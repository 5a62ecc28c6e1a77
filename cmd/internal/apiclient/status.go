package apiclient

import (
	"context"
	"net/http"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/driver"
)

// Name returns the name of the server, for people.
func (c *Remote) Name(context.Context) string { return c.host }

// Status returns the state of the outbox.
func (c *Remote) Status(ctx context.Context) (s admin.Status, err error) {
	err = c.get(ctx, "/api/v1/status", nil, &s)
	if err == nil && (s.Types == nil || s.Relays == nil || s.Paused == nil) {
		err = c.foreign("its answer has no status") // another program's answer must not pass for an empty outbox
	}
	return s, err
}

// SetPaused pauses or resumes, each in a transaction of its own, and returns
// everything that is paused after that. The server knows who does it.
func (c *Remote) SetPaused(ctx context.Context, what []driver.Pausable, paused bool, act driver.Act) (all []driver.Pausable, err error) {
	var in struct {
		Types        []string `json:"types,omitempty"`
		Destinations []string `json:"destinations,omitempty"`
		Note         string   `json:"note,omitempty"`
	}
	in.Note = act.Note
	for _, p := range what {
		if p.Kind == driver.DestinationPause {
			in.Destinations = append(in.Destinations, p.Name)
		} else {
			in.Types = append(in.Types, p.Name) // * is one of them
		}
	}
	path := "/api/v1/resume"
	if paused {
		path = "/api/v1/pause"
	}
	var out struct {
		Paused       []string `json:"paused"`
		Destinations []string `json:"destinations"`
	}
	err = c.call(ctx, http.MethodPost, path, in, &out)
	for _, d := range out.Destinations {
		all = append(all, driver.PausableDestination(d))
	}
	for _, t := range out.Paused {
		all = append(all, driver.PausableLane(t))
	}
	return all, err
}
