package console_test

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/driver"
)

func TestAPageToPauseStandsForWhatItNames(t *testing.T) {
	r := newLetterRig(t)
	r.see(admin.Operator, "pause?type=order-placed", "Pause the event type order-placed?")
	for _, two := range []string{"type=order-placed&destination=kafka", "all=1&type=order-placed", "all=1&destination=kafka", ""} {
		r.refused(admin.Operator, http.MethodGet, "pause?"+two, nil, http.StatusUnprocessableEntity, "Name an event type or a destination.")
		form, err := url.ParseQuery(two)
		if err != nil {
			t.Fatal(err)
		}
		r.refused(admin.Operator, http.MethodPost, "pause", form, http.StatusUnprocessableEntity, "Name an event type or a destination.")
	}
	if paused, err := r.store.Paused(t.Context()); err != nil || len(paused) != 0 {
		t.Errorf("paused is %v, error %v", paused, err)
	}
	r.post(admin.Operator, "pause", url.Values{"destination": {"kafka"}}, "destinations?done=pause")
	if paused, err := r.store.Paused(t.Context()); err != nil || len(paused) != 1 {
		t.Errorf("paused is %v, error %v", paused, err)
	}
}

func TestAPageToMuteShowsTheAlertThatItMutes(t *testing.T) {
	r := newLetterRig(t)
	seen := []driver.Sighting{{Rule: "dead-letters", Subject: "order-placed", Severity: driver.SeverityWarning, Text: "many letters"}}
	if err := r.store.SeeAlerts(t.Context(), seen, time.Minute); err != nil {
		t.Fatal(err)
	}
	all, err := r.store.ListAlerts(t.Context(), driver.AlertFilter{}, 1)
	if err != nil || len(all) != 1 {
		t.Fatalf("%d alerts, error %v", len(all), err)
	}
	text := r.see(admin.Operator, "alerts/mute?text=nothing+of+importance&id="+url.QueryEscape(all[0].ID), "many letters")
	r.hasNot("the page", text, "<p>nothing of importance")
	r.refused(admin.Operator, http.MethodGet, "alerts/mute?id=another&text=x", nil, http.StatusNotFound, "No alert has this id")
}

func TestFormsThatWouldBeRefusedAreNotShown(t *testing.T) {
	r := newLetterRig(t)
	for _, page := range []string{"pause?all=1", "alerts/mute?id=1", "jobs/new?action=replay", "jobs/new?action=erase"} {
		r.refused(admin.Viewer, http.MethodGet, page, nil, http.StatusForbidden, "Your role may not do this.")
	}
	r.refused(admin.Operator, http.MethodGet, "jobs/new?action=erase", nil, http.StatusForbidden, "Your role may not do this.")
	r.see(admin.Operator, "jobs/new?action=replay")
}
