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
