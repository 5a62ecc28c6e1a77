package console

import (
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/sendoff-go/outbox/admin"
)

type alertsView struct {
	Filter        listFilter
	States, Rules []string // to choose from
	Open, Over    []admin.Alert
	Now           time.Time
}

func (c *Console) alertsPage(k *caller, r *http.Request) (*view, error) {
	d := alertsView{Filter: listFilterOf(r.URL.Query(), []string{"state", "rule"}, nil), States: admin.AlertStates(), Rules: slices.Sorted(maps.Keys(todos)), Now: time.Now()}
	q, err := d.Filter.api("limit", "200")
	var l admin.AlertList
	if err == nil {
		err = k.get("/api/v1/alerts", q, &l)
	}
	for _, a := range l.Alerts {
		if a.ResolvedAt == nil {
			d.Open = append(d.Open, a)
		} else {
			d.Over = append(d.Over, a)
		}
	}
	v := &view{Screen: "alerts", Title: "Alerts", Data: d}
	return v, v.correctable(err)
}

// todos say what to do about an alert, by its rule.
var todos = map[string]string{
	"oldest-waiting":   "Look at the event type: is its destination down or slow, is it paused, are there too few workers or instances?",
	"dead-letters":     "Look at the groups of dead letters: mend the cause of the largest, then retry it.",
	"destination-down": "Look at the destination: its events wait and use up no attempts. They go on by themselves when it is back.",
	"unclaimed":        "No instance has a listener or a route for this event type: start one that has, or correct the type's name.",
	"no-relay":         "No instance has announced itself: start one, and look at the log of those that ended.",
}

// muted reports whether an alert sends no notifications now.
func muted(a admin.Alert) bool { return a.MutedUntil != nil && a.MutedUntil.After(time.Now()) }

func todo(rule string) string { return todos[rule] }

// mutePage asks before an alert is muted. What it shows of the alert does not come
// from the address, which somebody else may have written.
func (c *Console) mutePage(k *caller, r *http.Request) (*view, error) {
	if err := operators(k); err != nil {
		return nil, err
	}
	var l admin.AlertList
	if err := k.get("/api/v1/alerts", values("limit", "1000"), &l); err != nil {
		return nil, err
	}
	id := r.URL.Query().Get("id")
	i := slices.IndexFunc(l.Alerts, func(a admin.Alert) bool { return a.ID == id })
	if i < 0 {
		return nil, &refusal{http.StatusNotFound, "No alert has this id: it is over, and was deleted."}
	}
	return &view{Screen: "mute", Nav: "alerts", Title: "Mute", NotLive: true, Data: l.Alerts[i]}, nil
}

func muteAlert(k *caller, r *http.Request) (string, error) {
	in := struct {
		Until *time.Time `json:"muted_until,omitempty"`
		Note  string     `json:"note,omitempty"`
	}{Note: r.PostFormValue("note")}
	what := "unmute"
	if text := r.PostFormValue("for"); text != "" {
		d, err := time.ParseDuration(text)
		if err != nil || d <= 0 {
			return "", &refusal{http.StatusUnprocessableEntity, "This is not a duration: write it as 4h or 30m."}
		}
		until := time.Now().Add(d)
		in.Until, what = &until, "mute"
	}
	var out struct{}
	err := k.call(http.MethodPut, "/api/v1/alerts/"+pathSegment(r.PostFormValue("id"))+"/mute", in, &out)
	return done("alerts", what, -1), err
}
