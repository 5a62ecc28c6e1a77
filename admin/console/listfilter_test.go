package console_test

import (
	"strings"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/driver"
)

func TestTheAuditLogIsNarrowedByItsAddress(t *testing.T) {
	r := newLetterRig(t)
	if err := r.store.SetPaused(t.Context(), driver.PausableLane("order-placed"), true, "anna"); err != nil {
		t.Fatal(err)
	}
	if _, err := r.store.AddJob(t.Context(), driver.Job{ID: "01M7KYSS57BTHAXT4Y24NXCHYH", Action: "retry", Spec: []byte(`{"all":true}`), Act: driver.Act{By: "olga"}, State: driver.JobRunning}); err != nil {
		t.Fatal(err)
	}
	hour := time.Now().UTC().Add(time.Hour).Format("2006-01-02T15:04:05")
	const pause, start = "<td class=\"nm first\">pause</td>", "<td class=\"nm first\">job</td>"
	for query, want := range map[string]string{
		"":                                   pause + start,
		"?by=anna":                           pause,
		"?action=job":                        start,
		"?job=01M7KYSS57BTHAXT4Y24NXCHYH":    start,
		"?job=other":                         "",
		"?acted_after=" + hour:               "",
		"?acted_before=" + hour:              pause + start,
		"?acted_before=2026-01-02":           "",
		"?by=anna&action=&job=&acted_after=": pause, // as a form sends it
	} {
		page := r.see(admin.Viewer, "audit"+query)
		for _, row := range []string{pause, start} {
			if strings.Contains(page, row) != strings.Contains(want, row) {
				t.Errorf("audit%s has %s: %t", query, row, !strings.Contains(want, row))
			}
		}
		if strings.Contains(page, "No entry matches") != (want == "") {
			t.Errorf("audit%s says that nothing matches: %t", query, want != "")
		}
	}
	r.see(admin.Viewer, "audit?by=anna&acted_before="+hour, `name="by" value="anna"`, `value="`+hour+`"`, `audit.csv?acted_before=`)
	r.see(admin.Viewer, "audit?action=pause", `<option value="pause" selected>`)
	r.see(admin.Viewer, "audit", `jobs/one?id=01M7KYSS57BTHAXT4Y24NXCHYH`, `audit.csv"`)
	r.see(admin.Viewer, "jobs/one?id=01M7KYSS57BTHAXT4Y24NXCHYH", `audit?job=01M7KYSS57BTHAXT4Y24NXCHYH`)
	if text := r.see(admin.Viewer, "audit.csv?by=anna"); strings.Contains(text, "olga") || !strings.Contains(text, "anna,pause") {
		t.Errorf("as CSV: %s", text)
	}
}

func TestJobsAndAlertsAreNarrowedByTheirAddress(t *testing.T) {
	r := newLetterRig(t)
	for id, j := range map[string]driver.Job{"a": {Action: "retry", State: driver.JobRunning}, "b": {Action: "erase", State: driver.JobWaiting}} {
		j.ID, j.Spec, j.Act = id, []byte(`{"all":true}`), driver.Act{By: "olga"}
		if _, err := r.store.AddJob(t.Context(), j); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.store.SeeAlerts(t.Context(), []driver.Sighting{{Rule: "no-relay", Severity: driver.SeverityCritical, Text: "No relay is alive"}}, time.Hour); err != nil {
		t.Fatal(err)
	}
	for page, says := range map[string][]string{
		"jobs":                       {`id="job-a"`, `id="job-b"`},
		"jobs?state=waiting":         {`id="job-b"`, `!id="job-a"`, `<option value="waiting" selected>`},
		"jobs?action=retry&state=":   {`id="job-a"`, `!id="job-b"`},
		"jobs?state=done":            {"No job matches", `!id="job-`},
		"alerts":                     {"No relay is alive", "None yet."},
		"alerts?rule=no-relay":       {"No relay is alive", "!None yet."},
		"alerts?state=resolved":      {"No alert matches", "!No relay is alive", "!Nothing is wrong"},
		"alerts?state=open&rule=":    {"No relay is alive", `<option value="open" selected>`},
		"alerts?rule=oldest-waiting": {"No alert matches", `value="oldest-waiting"`},
	} {
		text := r.see(admin.Viewer, page)
		for _, s := range says {
			if no := strings.HasPrefix(s, "!"); strings.Contains(text, strings.TrimPrefix(s, "!")) == no {
				t.Errorf("%s: %q is there: %t", page, s, no)
			}
		}
	}
}

func TestGroupsOfDeadLettersAreNarrowedByTheAddress(t *testing.T) {
	r := newLetterRig(t)
	r.kill("order-placed", "gateway refused order 17", 3)
	r.kill("mail-requested", "no such template", 1)
	for _, g := range r.groups() {
		if g.Lane == "mail-requested" {
			if _, err := r.store.MarkGroup(t.Context(), g.ID, driver.GroupMark{State: driver.GroupInvestigating, By: "anna"}); err != nil {
				t.Fatal(err)
			}
		}
	}
	hour := time.Now().UTC().Add(time.Hour).Format("2006-01-02T15:04:05")
	const order, mail = "gateway refused order #", "no such template"
	for query, want := range map[string]string{
		"":                              order + mail,
		"?type=order-placed":            order,
		"?reason=template&type=&state=": mail, // as a form sends it
		"?state=investigating":          mail,
		"?state=new":                    order,
		"?by=anna":                      mail,
		"?by=anna&state=new":            "",
		"?destination=nowhere":          "",
		"?last_after=" + hour:           "",
		"?last_before=" + hour:          order + mail,
	} {
		page := r.see(admin.Viewer, "dead-letters"+query)
		for _, reason := range []string{order, mail} {
			if strings.Contains(page, `title="`+reason) != strings.Contains(want, reason) {
				t.Errorf("dead-letters%s has %s: %t", query, reason, !strings.Contains(want, reason))
			}
		}
		if strings.Contains(page, "No group matches") != (want == "") {
			t.Errorf("dead-letters%s says that nothing matches: %t", query, want != "")
		}
	}
	r.see(admin.Viewer, "dead-letters?state=investigating", `<option value="investigating" selected>being looked at</option>`, "Groups that match", "Clear")
	r.see(admin.Operator, "dead-letters?type=order-placed", "to=dead-letters%3Ftype%3Dorder-placed") // and back to the same list
}

func TestAnEmptyLaterPageDoesNotSayThatNothingMatches(t *testing.T) {
	r := newEventRig(t)
	for _, page := range []string{"dead-letters?cursor=AAAAAAAAAAB4&state=new", "dead-letters?cursor=AAAAAAAAAAB4", "jobs?before=0&state=done", "jobs?before=0", "audit?before=1&by=anna", "audit?before=1"} {
		r.shows(admin.Viewer, page, 200, "There are no older ones.", "!matches.", "!No jobs yet", "!Nobody has changed", "!No dead letters")
	}
	r.shows(admin.Viewer, "events?cursor=AAAAAAAAAAB4&status=waiting", 200, "There are no older events.", "!No event matches")
}

func TestAListWithAWrongFilterCanBePutRight(t *testing.T) {
	r := newEventRig(t)
	for page, says := range map[string]string{
		"audit?by=anna&acted_after=yesterday": "A time is not readable",
		"audit?by=anna&action=lost":           "action",
		"audit?by=anna&before=x":              "before",
	} {
		r.shows(admin.Viewer, page, 422, says, `name="by" value="anna"`, "!hx-sse:connect", "!No entry matches")
	}
	r.shows(admin.Viewer, "jobs?state=lost&action=retry", 422, `<option value="retry" selected>`, "!No job matches")
	r.shows(admin.Viewer, "alerts?state=lost&rule=no-relay", 422, `value="no-relay"`, "!No alert matches")
	r.shows(admin.Viewer, "dead-letters?last_after=yesterday&by=anna", 422, "A time is not readable", `name="by" value="anna"`, "<details open>", "!No group matches", "!hx-sse:connect")
	r.shows(admin.Viewer, "dead-letters?state=lost&type=order-placed", 422, `name="type" list="types" value="order-placed"`, "!No group matches", "!No dead letters")
}
