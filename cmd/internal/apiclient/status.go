package apiclient

import (
	"context"
	"net/http"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/driver"
)

// Status returns the state of the outbox.
func (c *Client) Status(ctx context.Context) (s admin.Status, err error) {
	err = c.get(ctx, "/api/v1/status", nil, &s)
	if err == nil && (s.Types == nil || s.Relays == nil || s.Paused == nil) {
		err = c.foreign("it answers without a status") // that of another program must not pass for one without events
	}
	return s, err
}

// SetPaused pauses or resumes event types ("*" for all), and returns those that are
// paused then. The server knows who does it.
func (c *Client) SetPaused(ctx context.Context, types []string, paused bool, act driver.Act) ([]string, error) {
	var in struct {
		Types []string `json:"types,omitempty"`
		All   bool     `json:"all,omitempty"`
		Note  string   `json:"note,omitempty"`
	}
	in.Note = act.Note
	if len(types) == 1 && types[0] == "*" {
		in.All = true
	} else {
		in.Types = types
	}
	path := "/api/v1/resume"
	if paused {
		path = "/api/v1/pause"
	}
	var out struct {
		Paused []string `json:"paused"`
	}
	err := c.call(ctx, http.MethodPost, path, in, &out)
	return out.Paused, err
}
