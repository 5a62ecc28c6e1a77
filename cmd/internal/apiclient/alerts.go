package apiclient

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/driver"
)

const alertsPath = "/api/v1/alerts"

// maxAlerts is how many the API lists at most; it has no next page.
const maxAlerts = 1000

// Alerts lists at most limit alerts that a filter matches, open ones first.
func (c *Remote) Alerts(ctx context.Context, f driver.AlertFilter, limit int) ([]admin.Alert, error) {
	if limit > maxAlerts {
		return nil, usage("the API lists at most %d alerts, and this asks for %d: lower --limit", maxAlerts, limit)
	}
	var out admin.AlertList
	err := c.get(ctx, alertsPath, values("state", string(f.State), "rule", f.Rule, "limit", number(limit)), &out)
	if err == nil && out.Alerts == nil {
		err = c.foreign("its answer has no alerts")
	}
	return out.Alerts, err
}

// MuteAlert mutes an alert until a time, or with the zero time unmutes it. The
// server knows who does it.
func (c *Remote) MuteAlert(ctx context.Context, id string, m driver.AlertMute) (found bool, err error) {
	if !addressable(id) {
		return false, nil
	}
	in := struct {
		Until *time.Time `json:"muted_until,omitempty"`
		Note  string     `json:"note,omitempty"`
	}{optional(m.MutedUntil), m.Note}
	var out struct {
		ID string `json:"id"`
	}
	return whether(c.call(ctx, http.MethodPut, alertsPath+"/"+url.PathEscape(id)+"/mute", in, &out))
}
