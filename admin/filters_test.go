package admin_test

import (
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/driver"
)

// told is the audit log by a query, page by page of one.
func (r *rig) told(query string) string {
	r.t.Helper()
	var said []string
	for before := int64(0); ; {
		var page admin.AuditPage
		r.want(http.StatusOK, r.send(admin.Viewer, "GET", fmt.Sprintf("/api/v1/audit?%s&limit=1&before=%d", query, before), ""), &page)
		for _, e := range page.Entries {
			said = append(said, e.By+" "+e.Action)
		}
		if before = page.Next; before == 0 {
			return strings.Join(said, ", ")
		}
	}
}

func TestTheAuditLogIsFiltered(t *testing.T) {
	r := newRig(t)
	r.kill("order-placed", "refused", 3)
	r.want(http.StatusOK, r.send(admin.Admin, "POST", "/api/v1/pause", `{"all":true}`), nil)
	j := r.run(admin.Operator, "retry", `{"all":true}`)
	hour := func(d time.Duration) string { return url.QueryEscape(time.Now().Add(d).Format(time.RFC3339)) }
	for query, want := range map[string]string{
		"":                                  "olga job end, olga retry, olga job, anna pause",
		"by=anna":                           "anna pause",
		"by=olga&action=retry":              "olga retry",
		"by=anna&action=retry":              "",
		"action=job+end":                    "olga job end",
		"job=" + j.ID:                       "olga job end, olga retry, olga job",
		"job=" + j.ID[:25]:                  "",
		"job=" + j.ID + "&action=retry":     "olga retry",
		"acted_after=" + hour(-time.Hour):   "olga job end, olga retry, olga job, anna pause",
		"acted_after=" + hour(time.Hour):    "",
		"acted_before=" + hour(-time.Hour):  "",
		"acted_before=2199-01-01T00:00:00Z": "olga job end, olga retry, olga job, anna pause",
	} {
		if got := r.told(query); got != want {
			t.Errorf("audit?%s: %s, want %s", query, got, want)
		}
	}
	for _, query := range []string{"action=lost", "by=a%00", "job=%ff", "job=" + strings.Repeat("x", 37), "acted_after=yesterday", "acted_before=1950-01-01T00:00:00Z",
		"acted_after=2026-01-02T00:00:00Z&acted_before=2026-01-01T00:00:00Z"} {
		for _, path := range []string{"audit", "audit.csv"} {
			problem(t, query, r.send(admin.Viewer, "GET", "/api/v1/"+path+"?"+query, ""), http.StatusUnprocessableEntity)
		}
	}
}

func TestAnExportOfTheAuditLogIsFilteredAndGoesOn(t *testing.T) {
	r := newRig(t)
	r.kill("order-placed", "refused", 3)
	r.want(http.StatusOK, r.send(admin.Admin, "POST", "/api/v1/pause", `{"all":true}`), nil)
	j := r.run(admin.Operator, "retry", `{"all":true}`)
	query, lines := "?job="+j.ID+"&limit=2", 0
	for page := 0; ; page++ {
		a := r.send(admin.Viewer, "GET", "/api/v1/audit.csv"+query, "")
		r.want(http.StatusOK, a, nil)
		if strings.Contains(a.text, "pause") || !strings.Contains(a.text, ","+j.ID+"\n") || !strings.HasPrefix(a.text, "id,at,by,action,rows,subjects,note,job\n") {
			t.Errorf("%s: %s", query, a.text)
		}
		lines += strings.Count(a.text, "\n") - 1
		link := a.header.Get("Link")
		if link == "" || page > 5 {
			break
		}
		query = strings.TrimSuffix(strings.TrimPrefix(link, "<"), `>; rel="next"`)
	}
	if lines != 3 {
		t.Errorf("%d entries in all pages, want 3", lines)
	}
}

func TestJobsAreFiltered(t *testing.T) {
	r := newRig(t, func(c *admin.Config) { c.ConsentOver = 1 })
	r.kill("order-placed", "refused", 3)
	r.kill("order-paid", "refused", 1)
	waiting := r.start(admin.Operator, "retry", `{"filter":{"type":"order-placed"}}`).Job.ID
	running := r.start(admin.Operator, "resolve", `{"filter":{"type":"order-paid"}}`).Job.ID
	for query, want := range map[string]string{
		"":                           running + " " + waiting,
		"state=waiting":              waiting,
		"state=running":              running,
		"state=done":                 "",
		"action=retry":               waiting,
		"action=retry&state=running": "",
	} {
		var ids []string
		for before := ""; ; {
			var page admin.JobPage
			r.want(http.StatusOK, r.send(admin.Viewer, "GET", "/api/v1/jobs?"+query+"&limit=1&before="+before, ""), &page)
			for _, j := range page.Jobs {
				ids = append(ids, j.ID)
			}
			if before = page.Next; before == "" {
				break
			}
		}
		if got := strings.Join(ids, " "); got != want {
			t.Errorf("jobs?%s: %s, want %s", query, got, want)
		}
	}
	problem(t, "state", r.send(admin.Viewer, "GET", "/api/v1/jobs?state=lost", ""), http.StatusUnprocessableEntity)
	problem(t, "action", r.send(admin.Viewer, "GET", "/api/v1/jobs?action=dance", ""), http.StatusUnprocessableEntity)
}

func TestAlertsAreFiltered(t *testing.T) {
	r := newRig(t)
	down, late := driver.Sighting{Rule: "destination-down", Subject: "kafka"}, driver.Sighting{Rule: "oldest-waiting", Subject: "order-placed"}
	if err := r.store.SeeAlerts(t.Context(), []driver.Sighting{down, late}, time.Hour); err != nil {
		t.Fatal(err)
	}
	r.want(http.StatusOK, r.send(admin.Operator, "PUT", "/api/v1/alerts/"+late.ID()+"/mute", `{"muted_until":"2199-01-01T00:00:00Z"}`), nil)
	for query, want := range map[string]string{
		"rule=destination-down":            "kafka",
		"rule=destination-down&state=open": "kafka",
		"state=muted":                      "order-placed",
		"state=resolved":                   "",
		"rule=no-relay":                    "",
	} {
		var l admin.AlertList
		r.want(http.StatusOK, r.send(admin.Viewer, "GET", "/api/v1/alerts?"+query, ""), &l)
		var got []string
		for _, a := range l.Alerts {
			got = append(got, a.Subject)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("alerts?%s: %v, want %s", query, got, want)
		}
	}
	problem(t, "state", r.send(admin.Viewer, "GET", "/api/v1/alerts?state=lost", ""), http.StatusUnprocessableEntity)
	problem(t, "rule", r.send(admin.Viewer, "GET", "/api/v1/alerts?rule=%00", ""), http.StatusUnprocessableEntity)
}

func TestFiltersTakeWhatTheListsHave(t *testing.T) {
	for _, c := range []struct {
		of    any
		field string
		all   []string
	}{
		{admin.AuditEntry{}, "Action", admin.AuditActions()},
		{admin.Job{}, "State", admin.JobStates()},
		{admin.Job{}, "Action", admin.JobActions()},
	} {
		f, _ := reflect.TypeOf(c.of).FieldByName(c.field)
		if got := strings.Join(c.all, ","); got != f.Tag.Get("enum") {
			t.Errorf("%T.%s is one of %s, and a filter takes %s", c.of, c.field, f.Tag.Get("enum"), got)
		}
	}
	r := newRig(t)
	for list, all := range map[string][]string{"audit?action=": admin.AuditActions(), "jobs?state=": admin.JobStates(), "jobs?action=": admin.JobActions(), "alerts?state=": admin.AlertStates()} {
		for _, v := range all {
			r.want(http.StatusOK, r.send(admin.Viewer, "GET", "/api/v1/"+list+url.QueryEscape(v), ""), nil)
		}
	}
}
