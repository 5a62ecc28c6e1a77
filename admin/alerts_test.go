package admin_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/driver"
)

func TestAlertsAreListedAndMuted(t *testing.T) {
	r := newRig(t)
	if got := r.send(admin.Viewer, "GET", "/api/v1/alerts", ""); got.status != http.StatusOK || strings.TrimSpace(got.text) != `{"alerts":[]}` {
		t.Errorf("%d %s, want an empty list", got.status, got.text)
	}
	seen := driver.Sighting{Rule: "unclaimed", Subject: "OrderPlaced", Severity: driver.SeverityCritical, Text: "nobody"}
	if err := r.store.SeeAlerts(t.Context(), []driver.Sighting{seen}, time.Hour); err != nil {
		t.Fatal(err)
	}
	mute := "/api/v1/alerts/" + seen.ID() + "/mute"
	for _, c := range []struct {
		body   string
		status int
	}{
		{`{"muted_until":"2199-01-01T00:00:00Z","note":"mending"}`, http.StatusOK},
		{`{"muted_until":"9999-12-31T23:00:00Z"}`, http.StatusUnprocessableEntity},
		{`{"muted_until":"soon"}`, http.StatusUnprocessableEntity},
	} {
		if got := r.send(admin.Operator, "PUT", mute, c.body); got.status != c.status {
			t.Errorf("%s: %d %s, want %d", c.body, got.status, got.text, c.status)
		}
	}
	list := r.send(admin.Viewer, "GET", "/api/v1/alerts", "").text
	for _, want := range []string{`"rule":"unclaimed"`, `"subject":"OrderPlaced"`, `"muted_until":"2199-01-01T00:00:00Z"`, `"note":"mending"`} {
		if !strings.Contains(list, want) {
			t.Errorf("%s lacks %s", list, want)
		}
	}
	if got := r.send(admin.Operator, "PUT", mute, `{}`); got.status != http.StatusOK {
		t.Errorf("unmute: %d %s", got.status, got.text)
	}
	if list := r.send(admin.Viewer, "GET", "/api/v1/alerts", "").text; strings.Contains(list, "muted_until") {
		t.Errorf("%s is still muted", list)
	}
	problem(t, "unknown", r.send(admin.Operator, "PUT", "/api/v1/alerts/0123456789abcdef/mute", `{}`), http.StatusNotFound)
	if log := r.send(admin.Viewer, "GET", "/api/v1/audit", "").text; !strings.Contains(log, `"mute"`) || !strings.Contains(log, `"unmute"`) {
		t.Errorf("the log says %s", log)
	}
}
