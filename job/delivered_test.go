package job_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/memkit"
	"github.com/sendoff-go/outbox/job"
	"github.com/sendoff-go/outbox/store/memstore"
)

// delivered is a store with events of two tenants that were delivered.
func delivered(t *testing.T, n int) *memstore.Store {
	t.Helper()
	store := memstore.New(memstore.Config{})
	es := some(lane, n)
	for i := range es {
		es[i].TenantID = []string{"acme", "other"}[i%2]
		es[i].Headers = map[string]string{"secret": "1"}
	}
	memkit.Write(t, store, es...)
	memkit.Settle(t, store, lane, driver.Outcome{Kind: driver.Done}, true)
	return store
}

func TestAReplayDeliversAgainWhatItsFilterMatches(t *testing.T) {
	store := delivered(t, 3000)
	j := run(t, store, job.Spec{Action: job.Replay, Filter: job.Filter{Tenant: "acme"}})
	if j.State != driver.JobDone || j.Matches.N != 1500 || j.Applied != 1500 {
		t.Errorf("%+v, want 1500", j)
	}
	es := memkit.Settle(t, store, lane, driver.Outcome{Kind: driver.Done}, true)
	seen := map[string]bool{}
	for _, e := range es {
		seen[e.ID] = true
		if e.TenantID != "acme" || e.Headers[driver.ReplayOf] != "" {
			t.Fatalf("%+v waits", e)
		}
	}
	if len(seen) != 1500 {
		t.Errorf("%d events wait, want 1500", len(seen))
	}
}

func TestAReplayWithNewIDsNamesTheEventsThatItRepeats(t *testing.T) {
	store := delivered(t, 10)
	if j := run(t, store, job.Spec{Action: job.Replay, All: true, NewIDs: true}); j.Applied != 10 {
		t.Errorf("%+v, want 10", j)
	}
	of := map[string]bool{}
	for _, e := range memkit.Settle(t, store, lane, driver.Outcome{Kind: driver.Done}, true) {
		of[e.Headers[driver.ReplayOf]] = true
		if e.Headers[driver.ReplayOf] == e.ID || e.Headers["secret"] != "1" {
			t.Errorf("%+v", e)
		}
	}
	if len(of) != 10 || of[""] {
		t.Errorf("copies of %v, want of each", of)
	}
}

func TestAnErasureBlanksWhatIsKeptOfATenant(t *testing.T) {
	store := delivered(t, 300)
	secret := func(n int) []outbox.Event {
		es := some("dying", n)
		for i := range es {
			es[i].TenantID, es[i].Headers = "acme", map[string]string{"secret": "1"}
		}
		return es
	}
	memkit.Write(t, store, secret(150)...)
	memkit.Settle(t, store, "dying", driver.Outcome{Kind: driver.Dead, Error: "no card 4711"}, true)
	run(t, store, job.Spec{Action: job.Resolve, All: true})
	memkit.Write(t, store, secret(7)...)
	memkit.Settle(t, store, "dying", driver.Outcome{Kind: driver.Dead, Error: "no card 4711"}, true)
	waiting := secret(2)
	for i := range waiting {
		waiting[i].Type = "waiting"
	}
	memkit.Write(t, store, waiting...)
	before, _, err := store.ListAudit(t.Context(), driver.AuditFilter{}, 0, 100)
	if err != nil {
		t.Fatal(err)
	}
	j := run(t, store, job.Spec{Action: job.Erase, Filter: job.Filter{Tenant: "acme"}})
	if j.State != driver.JobDone || j.Matches.N != 309 || j.JobTally != (driver.JobTally{Applied: 307, Conflicts: 2}) {
		t.Errorf("%+v, want 150 events, 157 letters, and two that wait", j)
	}
	es, _, err := store.ListEvents(t.Context(), driver.EventFilter{}, nil, 1000)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range es {
		blank := string(e.Event.JSON) == "null" && e.Event.Headers["secret"] == ""
		if want := e.Event.TenantID == "acme" && e.Status == driver.EventDone; blank != want {
			t.Fatalf("%+v: blank %t, want %t", e, blank, want)
		}
	}
	for _, resolved := range []bool{false, true} {
		ls, _, err := store.ListDead(t.Context(), driver.DeadFilter{Resolved: resolved}, nil, 1000)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range ls {
			if string(l.Event.JSON) != "null" || l.Error != "" || !resolved {
				t.Fatalf("%+v still says something", l)
			}
		}
	}
	if after, _, err := store.ListAudit(t.Context(), driver.AuditFilter{}, 0, 100); err != nil || len(after) != len(before)+2 {
		t.Errorf("%d entries more, error %v; want the start and the end", len(after)-len(before), err)
	}
	if n, err := job.Count(t.Context(), store, job.Spec{Action: job.Erase, Filter: job.Filter{Tenant: "acme"}}); err != nil || n.N != 2 {
		t.Errorf("counted %+v after the erasure, error %v; want the two that wait", n, err)
	}
	if n, err := job.Count(t.Context(), store, job.Spec{Action: job.Replay, Filter: job.Filter{Tenant: "acme"}}); err != nil || n.N != 0 {
		t.Errorf("counted %+v to replay, error %v; nothing is left of them", n, err)
	}
	if again := run(t, store, job.Spec{Action: job.Erase, Filter: job.Filter{Tenant: "acme"}}); again.Applied != 0 {
		t.Errorf("%+v; there was nothing left to erase", again)
	}
}

func TestAReplayLeavesWhatIsDeliveredAfterItsStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := delivered(t, 10)
		memkit.Write(t, store, some(lane, 5)...)
		<-time.After(time.Second)
		j := start(t, store, job.Spec{Action: job.Replay, All: true, NewIDs: true})
		<-time.After(time.Second)
		memkit.Settle(t, store, lane, driver.Outcome{Kind: driver.Done}, true)
		j, err := runner(t, store).RunJob(t.Context(), j.ID, nil)
		if err != nil || j.Matches.N != 10 || j.JobTally != (driver.JobTally{Applied: 10}) {
			t.Errorf("%d matched, %+v, error %v; want the ten that were counted", j.Matches.N, j.JobTally, err)
		}
	})
}

func TestWhatMovesMeanwhileDoesNotEscapeAnErasure(t *testing.T) {
	event := outbox.Event{Type: lane, TenantID: "acme", JSON: []byte(`"secret"`)}
	done, died := driver.Outcome{Kind: driver.Done}, driver.Outcome{Kind: driver.Dead, Error: "refused"}
	spec := job.Spec{Action: job.Erase, Filter: job.Filter{Tenant: "acme"}}
	t.Run("a letter that is retried and delivered", func(t *testing.T) {
		store := memstore.New(memstore.Config{})
		ids := memkit.Write(t, store, event)
		memkit.Settle(t, store, lane, died, true)
		run(t, hooked{Store: store, listed: func() {
			if _, err := store.ReplayDead(t.Context(), driver.DeadIDs(ids...)); err != nil {
				t.Error(err)
			}
			memkit.Settle(t, store, lane, done, true)
		}}, spec)
		if e, _, err := store.GetEvent(t.Context(), ids[0]); err != nil || string(e.Event.JSON) != "null" {
			t.Errorf("%s is left, error %v", e.Event.JSON, err)
		}
	})
	t.Run("an event that dies", func(t *testing.T) {
		store := memstore.New(memstore.Config{})
		ids := memkit.Write(t, store, event)
		run(t, hooked{Store: store, shown: func() { memkit.Settle(t, store, lane, died, true) }}, spec)
		if l, _, err := store.GetDead(t.Context(), ids[0]); err != nil || string(l.Event.JSON) != "null" {
			t.Errorf("%s is left, error %v", l.Event.JSON, err)
		}
	})
}
