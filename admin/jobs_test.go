package admin_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/memkit"
	"github.com/sendoff-go/outbox/job"
)

type started struct {
	Matches admin.Count
	Types   []string
	AlsoTo  []string `json:"also_to"`
	Job     *admin.Job
}

// start starts a job.
func (r *rig) start(role admin.Role, action, body string) started {
	r.t.Helper()
	var s started
	r.want(http.StatusOK, r.send(role, "POST", "/api/v1/jobs/"+action, body), &s)
	return s
}

// run starts a job, lets a runner run it, and returns it as the API shows it.
func (r *rig) run(role admin.Role, action, body string) (j admin.Job) {
	r.t.Helper()
	s := r.start(role, action, body)
	runner, err := job.NewRunner(job.Config{Store: r.store, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		r.t.Fatal(err)
	}
	if _, err := runner.RunJob(r.t.Context(), s.Job.ID, nil); err != nil {
		r.t.Fatal(err)
	}
	r.want(http.StatusOK, r.send(admin.Viewer, "GET", "/api/v1/jobs/"+s.Job.ID, ""), &j)
	return j
}

func TestAFilterIsCountedAndThenWorkedOffByAJob(t *testing.T) {
	r := newRig(t)
	r.kill("order-placed", "refused", 250)
	r.kill("order-placed", "no such customer", 5)
	const filter = `{"filter":{"type":"order-placed","error":"refus"}`
	if s := r.start(admin.Operator, "retry", filter+`,"dry_run":true}`); s.Matches.N != 250 || s.Job != nil || r.waiting() != 0 {
		t.Errorf("%+v, %d wait", s, r.waiting())
	}
	j := r.run(admin.Operator, "retry", filter+`,"note":"mended","rate":100000}`)
	if j.State != driver.JobDone || j.Applied != 250 || j.By != "olga" || j.Note != "mended" || j.Filter.Error != "refus" || j.Filter.Before == nil || j.EndedAt == nil || r.waiting() != 250 {
		t.Errorf("%+v, %d wait", j, r.waiting())
	}
	var page struct{ Jobs []admin.Job }
	if r.want(http.StatusOK, r.send(admin.Viewer, "GET", "/api/v1/jobs", ""), &page); len(page.Jobs) != 1 || page.Jobs[0].ID != j.ID {
		t.Errorf("%+v", page)
	}
	if r.want(http.StatusOK, r.send(admin.Viewer, "GET", "/api/v1/jobs?before="+j.ID, ""), &page); len(page.Jobs) != 0 {
		t.Errorf("%+v, want none before it", page)
	}
}

func TestPayloadsAreSearchedOnlyByThoseWhoMaySeeThem(t *testing.T) {
	r := newRig(t, func(c *admin.Config) { c.HidePayloads = true })
	r.kill("order-placed", "refused", 3)
	const search = "/api/v1/dead-letters?payload=$.n%3D1"
	problem(t, "hidden", r.send(admin.Viewer, "GET", search, ""), http.StatusForbidden)
	var page struct{ Letters []admin.Letter }
	if r.want(http.StatusOK, r.send(admin.Operator, "GET", search, ""), &page); len(page.Letters) != 1 {
		t.Errorf("%+v, want one", page)
	}
	problem(t, "no path", r.send(admin.Operator, "GET", "/api/v1/dead-letters?payload=1", ""), http.StatusUnprocessableEntity)
	if j := r.run(admin.Operator, "resolve", `{"filter":{"payload":"$.n=1"}}`); j.Applied != 1 || j.Filter.Payload != "$.n=1" {
		t.Errorf("%+v, want one", j)
	}
	masked := newRig(t, func(c *admin.Config) { c.Mask = []string{"n"} })
	masked.kill("order-placed", "refused", 3)
	problem(t, "masked", masked.send(admin.Operator, "GET", search, ""), http.StatusForbidden)
	problem(t, "masked job", masked.send(admin.Operator, "POST", "/api/v1/jobs/retry", `{"filter":{"payload":"$.n=1"}}`), http.StatusForbidden)
	if masked.want(http.StatusOK, masked.send(admin.Admin, "GET", search, ""), &page); len(page.Letters) != 1 {
		t.Errorf("%+v, want one", page)
	}
}

func TestAJobOverTheBoundWaitsForASecondPerson(t *testing.T) {
	r := newRig(t, func(c *admin.Config) { c.ConsentOver = 10 })
	r.kill("order-placed", "refused", 11)
	j := r.run(admin.Operator, "retry", `{"all":true}`)
	if j.State != driver.JobWaiting || r.waiting() != 0 {
		t.Fatalf("%+v, %d wait", j, r.waiting())
	}
	problem(t, "own job", r.send(admin.Operator, "POST", "/api/v1/jobs/"+j.ID+"/consent", `{}`), http.StatusConflict)
	r.want(http.StatusOK, r.send(admin.Admin, "POST", "/api/v1/jobs/"+j.ID+"/consent", `{"note":"right"}`), &j)
	if j.State != driver.JobRunning || j.DecidedBy != "anna" {
		t.Errorf("%+v", j)
	}
	problem(t, "twice", r.send(admin.Admin, "POST", "/api/v1/jobs/"+j.ID+"/consent", `{}`), http.StatusConflict)
	r.want(http.StatusOK, r.send(admin.Operator, "POST", "/api/v1/jobs/"+j.ID+"/cancel", `{}`), &j)
	if j.State != driver.JobCancelled || j.EndedAt == nil {
		t.Errorf("%+v", j)
	}
	problem(t, "cancelled", r.send(admin.Operator, "POST", "/api/v1/jobs/"+j.ID+"/cancel", `{}`), http.StatusConflict)
	problem(t, "unknown", r.send(admin.Operator, "POST", "/api/v1/jobs/unknown/cancel", `{}`), http.StatusNotFound)
	var log struct{ Entries []admin.AuditEntry }
	r.want(http.StatusOK, r.send(admin.Viewer, "GET", "/api/v1/audit", ""), &log)
	var said []string
	for _, e := range log.Entries {
		said = append(said, e.By+" "+e.Action)
	}
	if got := fmt.Sprint(said); got != "[olga cancel anna consent olga job]" {
		t.Errorf("the log says %s", got)
	}
}

func TestIDsOverTheBoundForConsentAreRefused(t *testing.T) {
	r := newRig(t, func(c *admin.Config) { c.ConsentOver = 2 })
	dead := r.kill("order-placed", "refused", 3)
	three, two := `{"ids":`+ids(dead)+`}`, `{"ids":`+ids([]string{dead[0], dead[1], dead[0]})+`}`
	for _, action := range []string{"retry", "resolve", "delete"} {
		problem(t, action, r.send(admin.Admin, "POST", "/api/v1/dead-letters/"+action, three), http.StatusUnprocessableEntity)
	}
	problem(t, "manual", r.send(admin.Admin, "DELETE", manual, three), http.StatusUnprocessableEntity)
	r.want(http.StatusOK, r.send(admin.Operator, "POST", "/api/v1/dead-letters/retry", two), nil)
	if n := r.waiting(); n != 2 {
		t.Errorf("%d events wait, want 2", n)
	}
}

func TestTheAuditLogTellsHowManyRowsAJobChanged(t *testing.T) {
	r := newRig(t)
	r.kill("order-placed", "refused", 3)
	r.run(admin.Operator, "retry", `{"all":true}`)
	var log struct{ Entries []admin.AuditEntry }
	r.want(http.StatusOK, r.send(admin.Viewer, "GET", "/api/v1/audit", ""), &log)
	var said []string
	for _, e := range log.Entries {
		said = append(said, fmt.Sprint(e.Action, " ", e.Rows))
	}
	if got := fmt.Sprint(said); got != "[job end 3 retry 3 job 0]" {
		t.Errorf("the log says %s", got)
	}
	if a := r.send(admin.Viewer, "GET", "/api/v1/audit.csv", ""); !strings.Contains(a.text, "at,by,action,rows,subjects,note,job") || !strings.Contains(a.text, `job end,3,"[""`) {
		t.Errorf("as CSV: %s", a.text)
	}
}

func TestEventsAreReplayedAndErasedByJobs(t *testing.T) {
	r := newRig(t)
	r.kill("order-placed", "refused", 3)
	r.run(admin.Operator, "retry", `{"all":true}`)
	if s := r.start(admin.Operator, "replay", `{"all":true,"dry_run":true}`); s.Matches.N != 0 {
		t.Errorf("%+v; none is delivered", s)
	}
	if j := r.run(admin.Operator, "replay", `{"filter":{"type":"order-placed"},"new_ids":true}`); j.State != driver.JobDone || !j.NewIDs {
		t.Errorf("%+v", j)
	}
	if j := r.run(admin.Admin, "erase", `{"filter":{"tenant":"acme"}}`); j.State != driver.JobDone || j.Applied != 0 || j.Filter.Tenant != "acme" {
		t.Errorf("%+v", j)
	}
}

func TestAJobThatIsNotAskedProperlyIsNotStarted(t *testing.T) {
	r := newRig(t)
	r.kill("order-placed", "refused", 1)
	for _, body := range []string{
		`{}`, `{"ids":["a"]}`, `{"filter":{}}`, `{"filter":{"type":""}}`, `{"filter":{"type":null}}`, `{"filter":null}`, `{"all":false}`,
		`{"all":true,"filter":{"type":"x"}}`, `{"filter":{"before":"0001-01-01T00:00:00Z"}}`, `{"filter":{"before":null}}`,
		`{"filter":{"type":"nope","Type":"order-placed"}}`, `{"filter":{"type":"nope","type":"order-placed"}}`, `{"filter":{"typ":"x"}}`,
		`{"filter":{"type":"a\u0000b"}}`, `{"filter":{"after":"yesterday"}}`, `{"all":true,"note":"\u0000"}`, `{"all":true,"rate":-1}`, `{"all":true,"new_ids":true}`, `[]`, `{`, `null`,
	} {
		if a := r.send(admin.Admin, "POST", "/api/v1/jobs/delete", body); a.status != http.StatusUnprocessableEntity && a.status != http.StatusBadRequest {
			t.Errorf("%s: %d %s", body, a.status, a.text)
		}
	}
	a := r.send(admin.Admin, "POST", "/api/v1/jobs/erase", `{"filter":{"type":"x"}}`)
	if problem(t, "erase", a, http.StatusUnprocessableEntity); !strings.Contains(a.text, "needs a tenant or a key") {
		t.Error(a.text)
	}
	problem(t, "before", r.send(admin.Viewer, "GET", "/api/v1/jobs?before=%00", ""), http.StatusUnprocessableEntity)
	problem(t, "no id", r.send(admin.Viewer, "GET", "/api/v1/jobs/%C3%A4", ""), http.StatusNotFound)
	if js, _, err := r.store.ListJobs(t.Context(), driver.JobFilter{}, "", 10); err != nil || len(js) > 0 {
		t.Errorf("%+v, error %v", js, err)
	}
}

func TestAReplayByDestinationSaysWhichTypesItTakes(t *testing.T) {
	r := newRig(t)
	announce := func(lanes ...string) {
		t.Helper()
		ds := []driver.InstanceDestination{{Name: "kafkasink#0:orders", Lanes: lanes}, {Name: "mails", Lanes: []string{"b"}}}
		if err := r.store.Announce(t.Context(), driver.Instance{Owner: "relay/1", Destinations: ds}); err != nil {
			t.Fatal(err)
		}
	}
	problem(t, "no relay", r.send(admin.Operator, "POST", "/api/v1/jobs/replay", `{"filter":{"destination":"kafkasink#0:orders"}}`), http.StatusUnprocessableEntity)
	for _, one := range []string{"a", "b", "c"} {
		memkit.Write(t, r.store, outbox.Event{Type: one, JSON: []byte("1")})
		memkit.Settle(t, r.store, one, driver.Outcome{Kind: driver.Done}, true)
	}
	announce("b", "a")
	s := r.start(admin.Operator, "replay", `{"filter":{"destination":"kafkasink#0:orders"},"dry_run":true}`)
	if s.Matches.N != 2 || !slices.Equal(s.Types, []string{"a", "b"}) || !slices.Equal(s.AlsoTo, []string{"mails"}) || s.Job != nil {
		t.Errorf("counted %+v", s)
	}
	announce("c", "b", "a")
	const confirmed = `{"filter":{"destination":"kafkasink#0:orders"},"types":["b","a"]}`
	problem(t, "rerouted", r.send(admin.Operator, "POST", "/api/v1/jobs/replay", confirmed), http.StatusConflict)
	announce("a", "b")
	if j := r.run(admin.Operator, "replay", confirmed); j.Applied != 2 || !slices.Equal(j.Types, []string{"a", "b"}) || j.Filter.Destination != "kafkasink#0:orders" || r.waiting() != 2 {
		t.Errorf("%+v, %d wait", j, r.waiting())
	}
}

func TestARequestThatIsSentAgainStartsNoSecondJob(t *testing.T) {
	r := newRig(t)
	r.kill("order-placed", "refused", 3)
	id := outbox.NewID()
	body := `{"id":"` + id + `","filter":{"type":"order-placed"}}`
	first, again := r.start(admin.Operator, "resolve", body), r.start(admin.Operator, "resolve", body)
	if first.Job.ID != id || again.Job.ID != id || again.Matches.N != 3 {
		t.Errorf("%+v, then %+v", first.Job, again.Job)
	}
	problem(t, "another filter", r.send(admin.Operator, "POST", "/api/v1/jobs/resolve", `{"id":"`+id+`","all":true}`), http.StatusConflict)
	problem(t, "another action", r.send(admin.Operator, "POST", "/api/v1/jobs/retry", body), http.StatusConflict)
	problem(t, "another person", r.send(admin.Admin, "POST", "/api/v1/jobs/resolve", body), http.StatusConflict)
	problem(t, "no id", r.send(admin.Operator, "POST", "/api/v1/jobs/resolve", `{"id":"11111111111111111111111-%;","all":true}`), http.StatusUnprocessableEntity)
	if js, _, err := r.store.ListJobs(t.Context(), driver.JobFilter{}, "", 10); err != nil || len(js) != 1 {
		t.Errorf("%d jobs, error %v; want one", len(js), err)
	}
}
