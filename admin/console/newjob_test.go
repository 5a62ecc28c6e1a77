package console_test

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/admin/console"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/memkit"
	"github.com/sendoff-go/outbox/job"
	"github.com/sendoff-go/outbox/store/memstore"
)

func TestAReplayByDestinationIsWhatWasCounted(t *testing.T) {
	r := newLetterRig(t)
	announce := func(lanes ...string) {
		t.Helper()
		to := []driver.InstanceDestination{{Name: "orders", Lanes: lanes}, {Name: "mails", Lanes: []string{"b"}}}
		if err := r.store.Announce(t.Context(), driver.Instance{Owner: "relay-1", Destinations: to}); err != nil {
			t.Fatal(err)
		}
	}
	for _, lane := range []string{"a", "b", "c"} {
		memkit.Write(t, r.store, outbox.Event{Type: lane, JSON: []byte("1")})
		memkit.Settle(t, r.store, lane, driver.Outcome{Kind: driver.Done}, true)
	}
	announce("a", "b")
	const form = "jobs/new?action=replay&destination=orders&count=1"
	text := r.see(admin.Operator, form, "2 events match.", "All events of these types, to wherever they go now: a, b", "other destinations too: mails")
	counted := hidden(text)
	announce("a", "b", "c")
	r.refused(admin.Operator, http.MethodPost, "jobs/new", counted, http.StatusConflict, "Other event types go to this destination now")
	p := r.send(admin.Operator, http.MethodPost, "jobs/new", hidden(r.see(admin.Operator, form, "3 events match.")))
	js, _, err := r.store.ListJobs(t.Context(), driver.JobFilter{}, "", 10)
	if p.status != http.StatusSeeOther || err != nil || len(js) != 1 {
		t.Fatalf("status %d, %d jobs, error %v: %s", p.status, len(js), err, p.text)
	}
	if spec, err := job.SpecOf(js[0]); err != nil || !slices.Equal(spec.Types, []string{"a", "b", "c"}) {
		t.Errorf("%v, error %v", spec.Types, err)
	}
	r.see(admin.Viewer, "jobs/one?id="+js[0].ID, "<code>orders</code>", "a, b, c")
	r.see(admin.Operator, "jobs/new?action=replay&destination=nowhere&count=1", "No running relay has the destination")
}

func TestAJobWithoutAConditionSaysWhichOnesThereAre(t *testing.T) {
	r := newLetterRig(t)
	for page, says := range map[string]string{
		"action=replay":              "Fill in what to replay first: a type, a destination, a tenant, a key or a time.",
		"action=replay&all=1&rate=5": "Fill in what to replay first",
		"action=erase&note=gone":     "Fill in a tenant or a key first.",
	} {
		text := r.see(admin.Admin, "jobs/new?count=1&"+page, says)
		r.hasNot(page, text, "match.", "filter and all")
		form, err := url.ParseQuery(page)
		if err != nil {
			t.Fatal(err)
		}
		r.refused(admin.Admin, http.MethodPost, "jobs/new", form, http.StatusUnprocessableEntity, says)
	}
}

// uncounted is a large store, whose counts end before they come to a row that
// matches.
type uncounted struct{ *memstore.Store }

func (uncounted) CountEvents(context.Context, driver.EventFilter) (driver.Count, error) {
	return driver.Count{More: true}, nil
}

func (uncounted) CountDead(context.Context, driver.DeadFilter) (driver.Count, error) {
	return driver.Count{More: true}, nil
}

func TestAJobStartsThoughNoneOfTheCountedRowsMatch(t *testing.T) {
	store := memstore.New(memstore.Config{})
	r := newLetterRig(t, func(c *console.Config) { c.API.Store = uncounted{store} })
	r.store = store
	r.kill("order-placed", "refused", 2)
	for page, says := range map[string]string{
		"jobs/new?action=erase&key=A-1&count=1":              "No event matches as far as they were counted.",
		"jobs/new?action=replay&type=order-placed&count=1":   "No event matches as far as they were counted.",
		"dead-letters/act?action=retry&error=refused":        "Retry the dead letters that match?",
		"dead-letters/act?action=resolve&type=order-placed":  "Resolve the dead letters that match?",
		"dead-letters/act?action=delete&destination=nowhere": "Delete the dead letters that match for good?",
	} {
		text := r.see(admin.Admin, page, says)
		r.hasNot(page, text, "0+", "0&#43;", " disabled", "Nothing to do", "somebody was faster")
		to, _, _ := strings.Cut(page, "?")
		if p := r.send(admin.Admin, http.MethodPost, to, hidden(text)); p.status != http.StatusSeeOther || !strings.Contains(p.location, "jobs/one?id=") {
			t.Errorf("%s: status %d to %q: %s", page, p.status, p.location, p.text)
		}
	}
}

func TestAJobOnNothingCannotBeStarted(t *testing.T) {
	r := newLetterRig(t)
	r.see(admin.Admin, "jobs/new?action=erase&key=A-1&count=1", "No event matches.\n", " disabled")
	r.see(admin.Admin, "dead-letters/act?action=retry&error=refused", "Nothing to do")
}
