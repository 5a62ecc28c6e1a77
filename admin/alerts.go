package admin

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/sendoff-go/outbox/driver"
)

// Alert is something that is or was wrong, on the wire.
type Alert struct {
	ID         string          `json:"id"`
	Rule       string          `json:"rule" doc:"The rule that is broken, such as oldest-waiting."`
	Subject    string          `json:"subject,omitempty" doc:"What breaks it: an event type or a destination."`
	Severity   driver.Severity `json:"severity" enum:"warning,critical"`
	Text       string          `json:"text"`
	RaisedAt   time.Time       `json:"raised_at"`
	SeenAt     time.Time       `json:"seen_at"`
	NotifiedAt *time.Time      `json:"notified_at,omitempty" doc:"When people were last told of it."`
	ResolvedAt *time.Time      `json:"resolved_at,omitempty" doc:"Absent while it is open."`
	MutedUntil *time.Time      `json:"muted_until,omitempty"`
	By         string          `json:"by,omitempty" doc:"Who muted or unmuted it last."`
	Note       string          `json:"note,omitempty"`
}

// AlertStates are the states of alerts, as a filter takes them.
func AlertStates() []string { return []string{"open", "resolved", "muted"} }

// AlertsOf returns alerts as they go over the wire.
func AlertsOf(as []driver.Alert) []Alert {
	out := make([]Alert, len(as))
	for i, a := range as {
		out[i] = Alert{ID: a.ID, Rule: a.Rule, Subject: a.Subject, Severity: a.Severity, Text: a.Text,
			RaisedAt: encodable(a.RaisedAt), SeenAt: encodable(a.SeenAt), NotifiedAt: optional(a.NotifiedAt), ResolvedAt: optional(a.ResolvedAt),
			MutedUntil: optional(a.MutedUntil), By: a.By, Note: a.Note}
	}
	return out
}

// alerts registers what concerns alerts.
func (a *api) alerts(h huma.API) {
	const path = "/api/v1/alerts"
	operation(a, h, Viewer, http.MethodGet, path, "list-alerts", "List alerts, open ones first", a.listAlerts)
	operation(a, h, Operator, http.MethodPut, path+"/{id}/mute", "mute-alert", "Mute an alert, or unmute it", a.muteAlert)
}

type alertsInput struct {
	State string `query:"state" enum:"open,resolved,muted" doc:"A muted one is open or resolved, too."`
	Rule  string `query:"rule" maxLength:"32" doc:"The rule that is or was broken, such as oldest-waiting."`
	Limit int    `query:"limit" minimum:"1" maximum:"1000" default:"200"`
}

// AlertList is a list of alerts, open ones first.
type AlertList struct {
	Alerts []Alert `json:"alerts"`
}

func (a *api) listAlerts(ctx context.Context, in *alertsInput) (*body[AlertList], error) {
	if err := checkText("rule", in.Rule); err != nil {
		return nil, err
	}
	as, err := a.Store.ListAlerts(ctx, driver.AlertFilter{State: driver.AlertState(in.State), Rule: in.Rule}, in.Limit)
	if err != nil {
		return nil, err
	}
	return &body[AlertList]{AlertList{AlertsOf(as)}}, nil
}

var errNoAlert = huma.Error404NotFound("no alert has this id: it was deleted after it was resolved, or never existed")

type muteInput struct {
	ID   string `path:"id"`
	Body struct {
		Until *time.Time `json:"muted_until,omitempty" doc:"When the mute ends. Absent: unmute."`
		Note  string     `json:"note,omitempty" maxLength:"4000"`
	}
}

type muteOutput struct {
	ID         string     `json:"id"`
	MutedUntil *time.Time `json:"muted_until,omitempty"`
}

func (a *api) muteAlert(ctx context.Context, in *muteInput) (*body[muteOutput], error) {
	m := driver.AlertMute{By: personOf(ctx).Name, Note: in.Body.Note}
	if err := checkText("note", m.Note); err != nil {
		return nil, err
	}
	if in.Body.Until != nil {
		m.MutedUntil = *in.Body.Until
		if year := m.MutedUntil.UTC().Year(); year < 1970 || year > 9998 {
			return nil, huma.Error422UnprocessableEntity("muted_until is not between 1970 and 9998")
		}
	}
	if !isID(in.ID) {
		return nil, errNoAlert
	}
	found, err := a.Store.MuteAlert(ctx, in.ID, m)
	switch {
	case err != nil:
		return nil, err
	case !found:
		return nil, errNoAlert
	}
	return &body[muteOutput]{muteOutput{in.ID, optional(m.MutedUntil)}}, nil
}
