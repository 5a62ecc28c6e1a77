package job_test

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/memkit"
	"github.com/sendoff-go/outbox/job"
	"github.com/sendoff-go/outbox/store/memstore"
)

func TestAnInvalidSpecSaysWhatToDo(t *testing.T) {
	store := memstore.New(memstore.Config{})
	for name, spec := range map[string]job.Spec{
		"no action":                {All: true},
		"the machine's own":        {Action: "IN_PROCESS", All: true},
		"nothing chosen":           {Action: job.Retry},
		"all and a filter":         {Action: job.Retry, All: true, Filter: job.Filter{Type: "x"}},
		"new ids of letters":       {Action: job.Retry, All: true, NewIDs: true},
		"errors of delivered":      {Action: job.Replay, Filter: job.Filter{Error: "x"}},
		"an erasure of everything": {Action: job.Erase, All: true},
		"an erasure by time":       {Action: job.Erase, Filter: job.Filter{Tenant: "acme", After: time.Now()}},
		"an erasure by place":      {Action: job.Erase, Filter: job.Filter{Tenant: "acme", Destination: "x"}},
		"types without a place":    {Action: job.Replay, Filter: job.Filter{Type: "x"}, Types: []string{"x"}},
		"types of letters":         {Action: job.Retry, Filter: job.Filter{Destination: "x"}, Types: []string{"x"}},
		"no path in the payload":   {Action: job.Retry, Filter: job.Filter{Payload: "4711"}},
		"a negative rate":          {Action: job.Retry, All: true, Rate: -1},
	} {
		if _, err := job.Start(t.Context(), store, spec, ann); !errors.Is(err, job.ErrSpec) {
			t.Errorf("%s: error %v", name, err)
		}
		if _, err := job.Count(t.Context(), store, spec); !errors.Is(err, job.ErrSpec) {
			t.Errorf("%s, counted: error %v", name, err)
		}
	}
	endless := job.Spec{Action: job.Retry, Filter: job.Filter{Error: strings.Repeat("x", 70_000)}}
	if _, err := job.Start(t.Context(), store, endless, ann); !errors.Is(err, job.ErrSpec) {
		t.Errorf("error %v", err)
	}
	if _, err := job.Start(t.Context(), store, job.Spec{Action: job.Retry, All: true}, driver.Act{}); !errors.Is(err, job.ErrNobody) {
		t.Errorf("error %v", err)
	}
	if jobs, _, err := store.ListJobs(t.Context(), driver.JobFilter{}, "", 10); err != nil || len(jobs) > 0 {
		t.Errorf("%+v were started, error %v", jobs, err)
	}
}

// stored is a job that another program, or another version, has put there.
func stored(t *testing.T, store *memstore.Store, action, spec, position string) driver.Job {
	t.Helper()
	j := driver.Job{ID: outbox.NewID(), Action: action, Spec: []byte(spec), Act: ann, State: driver.JobRunning}
	if _, err := store.AddJob(t.Context(), j); err != nil {
		t.Fatal(err)
	}
	j, _, err := store.ClaimJob(t.Context(), j.ID, "other", 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := store.StepJob(t.Context(), driver.JobStep{ID: j.ID, Turn: j.Turn, Position: []byte(position), State: driver.JobRunning}); err != nil {
		t.Fatal(err)
	}
	return j
}

func TestAStoredJobThatIsNotUnderstoodFailsAndChangesNothing(t *testing.T) {
	for name, c := range map[string]struct{ action, spec, position string }{
		"a later action":    {"archive", `{"filter":{"type":"order-placed"}}`, ""},
		"a later condition": {"delete", `{"filter":{"type":"order-placed","path":"$.total"}}`, ""},
		"a later setting":   {"delete", `{"all":true,"but":"acme"}`, ""},
		"no JSON":           {"delete", `delete`, ""},
		"null":              {"delete", `null`, ""},
		"a place, no types": {"replay", `{"filter":{"destination":"orders"}}`, ""},
		"a negative phase":  {"delete", `{"all":true}`, `{"phase":-1}`},
		"a later phase":     {"delete", `{"all":true}`, `{"phase":7}`},
		"no position":       {"delete", `{"all":true}`, `here`},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				store, _ := dead(t, 3)
				j, err := runner(t, store).RunJob(t.Context(), stored(t, store, c.action, c.spec, c.position).ID, nil)
				if err != nil || j.State != driver.JobFailed || j.Error == "" || memkit.Count(t, store, driver.DeadFilter{}) != 3 {
					t.Errorf("%s with %q, error %v, %d letters left", j.State, j.Error, err, memkit.Count(t, store, driver.DeadFilter{}))
				}
			})
		})
	}
}
