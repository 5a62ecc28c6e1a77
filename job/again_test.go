package job_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/job"
	"github.com/sendoff-go/outbox/store/memstore"
)

// unanswered stores jobs, but the answers are lost.
type unanswered struct {
	*memstore.Store
	lost int // how many are to be lost
}

func (u *unanswered) AddJob(ctx context.Context, j driver.Job) (bool, error) {
	added, err := u.Store.AddJob(ctx, j)
	if u.lost > 0 {
		u.lost--
		return false, outbox.ErrStoreDown
	}
	return added, err
}

func TestAStartWhoseAnswerIsLostIsRepeatedSafely(t *testing.T) {
	inner, _ := dead(t, 3)
	store := &unanswered{inner, 1}
	spec := job.Spec{Action: job.Resolve, Filter: job.Filter{Type: lane, After: time.Now().Add(-time.Hour)}, ID: outbox.NewID(), ConsentOver: 5}
	if j, err := job.Start(t.Context(), store, spec, ann); !errors.Is(err, outbox.ErrStoreDown) {
		t.Fatalf("%+v, error %v", j, err)
	}
	kill(t, inner, lane, "refused", 5) // since then
	j, err := job.Start(t.Context(), store, spec, ann)
	if err != nil || j.ID != spec.ID || j.Matches.N != 3 || j.State != driver.JobRunning {
		t.Errorf("%+v, error %v; want the first one", j, err)
	}
	if j, err = runner(t, store).RunJob(t.Context(), spec.ID, nil); err != nil || j.Applied != 3 {
		t.Errorf("%+v, error %v", j, err)
	}
	if j, err = job.Start(t.Context(), store, spec, ann); err != nil || j.State != driver.JobDone {
		t.Errorf("%+v, error %v; want the first one, which is done", j, err)
	}
	if js, _, err := inner.ListJobs(t.Context(), driver.JobFilter{}, "", 10); err != nil || len(js) != 1 {
		t.Errorf("%d jobs, error %v; want one", len(js), err)
	}
}

func TestTheIDOfAnotherJobIsRefused(t *testing.T) {
	store, _ := dead(t, 3)
	at := time.Now().Add(-time.Minute)
	spec := job.Spec{Action: job.Resolve, Filter: job.Filter{Type: lane, Before: at}, ID: outbox.NewID(), Rate: 7}
	start(t, store, spec)
	for name, change := range map[string]func(s *job.Spec, a *driver.Act){
		"another action":  func(s *job.Spec, _ *driver.Act) { s.Action = job.Delete },
		"another filter":  func(s *job.Spec, _ *driver.Act) { s.Filter.Type = "other" },
		"an earlier time": func(s *job.Spec, _ *driver.Act) { s.Filter.Before = at.Add(-time.Hour) },
		"a first time":    func(s *job.Spec, _ *driver.Act) { s.Filter.After = at.Add(-time.Hour) },
		"another rate":    func(s *job.Spec, _ *driver.Act) { s.Rate = 8 },
		"another person":  func(_ *job.Spec, a *driver.Act) { a.By = "bob" },
	} {
		other, by := spec, ann
		change(&other, &by)
		if j, err := job.Start(t.Context(), store, other, by); !errors.Is(err, job.ErrTaken) {
			t.Errorf("%s: %+v, error %v", name, j, err)
		}
	}
	if j, err := job.Start(t.Context(), store, spec, ann); err != nil || j.ID != spec.ID {
		t.Errorf("%+v, error %v", j, err)
	}
	for _, id := range []string{"mine", "01M7KYSS57BTHAXT4Y24NXCHY", "01m7kyss57bthaxt4y24nxchyh", "81M7KYSS57BTHAXT4Y24NXCHYH"} {
		spec.ID = id
		if _, err := job.Start(t.Context(), store, spec, ann); !errors.Is(err, job.ErrSpec) {
			t.Errorf("id %q: error %v", id, err)
		}
	}
}
