package console_test

import (
	"net/http"
	"slices"
	"testing"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/memkit"
	"github.com/sendoff-go/outbox/job"
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
