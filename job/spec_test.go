package job_test

import (
	"errors"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/job"
	"github.com/sendoff-go/outbox/store/memstore"
)

func TestAJobThatCannotBeSaysWhatToDo(t *testing.T) {
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
	if _, err := job.Start(t.Context(), store, job.Spec{Action: job.Retry, All: true}, driver.Act{}); !errors.Is(err, job.ErrNobody) {
		t.Errorf("error %v", err)
	}
	if jobs, err := store.ListJobs(t.Context(), "", 10); err != nil || len(jobs) > 0 {
		t.Errorf("%+v were started, error %v", jobs, err)
	}
}
