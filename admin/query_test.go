package admin_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox/admin"
)

func TestAParameterWithoutAValueIsRefused(t *testing.T) {
	r := newRig(t)
	for path, want := range map[string]string{
		"dead-letters?type=":                                  `has \"type\" without a value: leave it out`,
		"dead-letters?type":                                   `has \"type\" without a value`,
		"dead-letters?tenant=acme&died_before=":               `has \"died_before\" without a value`,
		"dead-letters?died_before=0001-01-01T00:00:00Z":       "died_before is zero: leave it out",
		"dead-letters?died_after=0001-01-01T02:00:00%2B02:00": "died_after is zero: leave it out",
		"events?status=":                                      `has \"status\" without a value`,
		"events?written_after=0001-01-01T00:00:00Z":           "written_after is zero: leave it out",
	} {
		a := r.send(admin.Viewer, "GET", "/api/v1/"+path, "")
		if problem(t, path, a, http.StatusUnprocessableEntity); !strings.Contains(a.text, want) {
			t.Errorf("%s: %s", path, a.text)
		}
	}
	for _, path := range []string{"/api/v1/dead-letters?error=0001-01-01T00:00:00Z&cursor=", "/api/v1/jobs?before=", "/api/outbox-dlq/events?status=&batchSize="} {
		r.want(http.StatusOK, r.send(admin.Viewer, "GET", path, ""), nil)
	}
}

func TestARangeWithNothingInItIsRefused(t *testing.T) {
	r := newRig(t)
	const early, late = "2026-01-02T03:04:05Z", "2026-01-02T04:04:05Z"
	for _, list := range []string{"dead-letters?died", "events?written"} {
		for before, want := range map[string]int{early: http.StatusUnprocessableEntity, late: http.StatusUnprocessableEntity, "2026-01-02T04:04:06Z": http.StatusOK} {
			_, name, _ := strings.Cut(list, "?")
			path := "/api/v1/" + list + "_after=" + late + "&" + name + "_before=" + before
			a := r.send(admin.Viewer, "GET", path, "")
			if a.status != want || want != http.StatusOK && !strings.Contains(a.text, "nothing is between "+name+"_after and ") {
				t.Errorf("%s: %d %s", path, a.status, a.text)
			}
		}
	}
	for _, action := range []string{"delete", "replay"} {
		a := r.send(admin.Admin, "POST", "/api/v1/jobs/"+action, `{"filter":{"after":"`+late+`","before":"`+early+`"}}`)
		if problem(t, action, a, http.StatusUnprocessableEntity); !strings.Contains(a.text, "nothing is between") {
			t.Errorf("%s: %s", action, a.text)
		}
	}
}
