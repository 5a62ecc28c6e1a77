package job_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/memkit"
	"github.com/sendoff-go/outbox/job"
	"github.com/sendoff-go/outbox/store/memstore"
)

func TestAJobOverItsBoundNeedsASecondPerson(t *testing.T) {
	store, _ := dead(t, 200)
	spec := job.Spec{Action: job.Resolve, All: true, ConsentOver: 150}
	j := start(t, store, spec)
	if j, err := runner(t, store).RunJob(t.Context(), j.ID, nil); err != nil || j.State != driver.JobWaiting || j.Applied != 0 {
		t.Errorf("%+v, error %v; want it to wait", j, err)
	}
	for by, want := range map[string]error{"ann": job.ErrSame, "Ann": job.ErrSame, " ann\t": job.ErrSame, "": job.ErrNobody} {
		if _, err := job.Consent(t.Context(), store, j.ID, driver.Act{By: by}); !errors.Is(err, want) {
			t.Errorf("consent by %q: error %v, want %v", by, err, want)
		}
	}
	if _, err := job.Consent(t.Context(), store, "unknown", bob); !errors.Is(err, job.ErrNotFound) {
		t.Errorf("error %v", err)
	}
	if _, err := job.Consent(t.Context(), store, j.ID, bob); err != nil {
		t.Fatal(err)
	}
	if j, err := runner(t, store).RunJob(t.Context(), j.ID, nil); err != nil || j.State != driver.JobDone || j.Applied != 200 || j.DecidedBy != "bob" {
		t.Errorf("%+v, error %v", j, err)
	}
	if _, err := job.Consent(t.Context(), store, j.ID, bob); !errors.Is(err, job.ErrDecided) {
		t.Errorf("error %v", err)
	}
}

func TestALongNameIsNotASecondPerson(t *testing.T) {
	store, _ := dead(t, 2)
	long := driver.Act{By: strings.Repeat("n", 300)}
	short := driver.Act{By: long.By[:255]} // what a database keeps of it
	j, err := job.Start(t.Context(), store, job.Spec{Action: job.Resolve, All: true, ConsentOver: 1}, short)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := job.Consent(t.Context(), store, j.ID, long); !errors.Is(err, job.ErrSame) {
		t.Errorf("error %v", err)
	}
}

func TestAJobWithoutConsentStopsAtTheBound(t *testing.T) {
	store, _ := dead(t, 150)
	j := start(t, store, job.Spec{Action: job.Resolve, All: true, ConsentOver: 150})
	if j.State != driver.JobRunning {
		t.Fatalf("%+v; 150 are not over 150", j)
	}
	small := start(t, store, job.Spec{Action: job.Delete, Filter: job.Filter{Type: lane}, ConsentOver: 150})
	if j, err := runner(t, store).RunJob(t.Context(), small.ID, nil); err != nil || j.State != driver.JobDone || j.Applied != 150 {
		t.Errorf("%+v, error %v", j, err)
	}
}

func ofTenant(t *testing.T, store *memstore.Store, n int) {
	t.Helper()
	es := some(lane, n)
	for i := range es {
		es[i].TenantID = "acme"
	}
	memkit.Write(t, store, es...)
	memkit.Settle(t, store, lane, driver.Outcome{Kind: driver.Done}, true)
}

func TestAnErasureOfAsManyAsTheBoundIsDone(t *testing.T) {
	store, _ := dead(t, 0)
	ofTenant(t, store, 5)
	spec := job.Spec{Action: job.Erase, Filter: job.Filter{Tenant: "acme"}, ConsentOver: 5}
	if j := run(t, store, spec); j.State != driver.JobDone || j.Applied != 5 {
		t.Errorf("%s, %d erased, error %q; five are not over five", j.State, j.Applied, j.Error)
	}
}

func TestAJobWithoutConsentFailsAtTheBoundIfMoreMatch(t *testing.T) {
	store, _ := dead(t, 0)
	j := start(t, store, job.Spec{Action: job.Erase, Filter: job.Filter{Tenant: "acme"}, ConsentOver: 150})
	ofTenant(t, store, 160) // after the count
	j, err := runner(t, store).RunJob(t.Context(), j.ID, nil)
	if err != nil || j.State != driver.JobFailed || j.Applied != 150 {
		t.Errorf("%s, %d erased, error %v; want it to end at 150", j.State, j.Applied, err)
	}
}

func TestAJobThatNobodyAllowsEndsAfterAWeek(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, _ := dead(t, 20)
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		r := runner(t, store)
		r.Interval = time.Minute
		go r.Run(ctx)
		<-time.After(time.Minute)
		spec := job.Spec{Action: job.Resolve, All: true, ConsentOver: 10}
		forgotten := start(t, store, spec)
		state := func(id string) driver.Job {
			t.Helper()
			j, _, err := store.GetJob(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			return j
		}
		<-time.After(6 * 24 * time.Hour)
		later := start(t, store, spec)
		<-time.After(24*time.Hour - time.Minute)
		if j := state(forgotten.ID); j.State != driver.JobWaiting {
			t.Errorf("%+v, want it to wait for a week", j)
		}
		<-time.After(time.Hour + time.Minute)
		if j := state(forgotten.ID); j.State != driver.JobExpired || j.Error == "" || j.EndedAt.IsZero() || j.Applied != 0 {
			t.Errorf("%+v, want it to say that nobody allowed it", j)
		}
		if _, err := job.Consent(t.Context(), store, forgotten.ID, bob); !errors.Is(err, job.ErrDecided) {
			t.Errorf("allowed too late: error %v", err)
		}
		if j := state(later.ID); j.State != driver.JobWaiting {
			t.Errorf("%+v, want it to wait", j)
		}
		if _, err := job.Consent(t.Context(), store, later.ID, bob); err != nil {
			t.Error(err)
		}
		<-time.After(8 * 24 * time.Hour)
		if j := state(later.ID); j.State != driver.JobDone || j.Applied != 20 {
			t.Errorf("%+v, want it done, since it was allowed in time", j)
		}
	})
}
