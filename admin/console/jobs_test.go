package console_test

import (
	"testing"
	"time"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/driver"
)

func TestAJobOfUncountedRowsHasNoShareThatIsDone(t *testing.T) {
	r := newLetterRig(t)
	for _, c := range []struct {
		id   string
		more bool
	}{{"a", true}, {"b", false}} {
		_, err := r.store.AddJob(t.Context(), driver.Job{ID: c.id, Action: "retry", Spec: []byte(`{"all":true}`), Act: driver.Act{By: "olga"}, Matches: driver.Count{N: 10_000, More: c.more}, State: driver.JobRunning})
		if err != nil {
			t.Fatal(err)
		}
		j, found, err := r.store.ClaimJob(t.Context(), c.id, driver.NewOwner("relay-1"), time.Hour)
		if err != nil || !found {
			t.Fatalf("found %t, error %v", found, err)
		}
		if err := r.store.StepJob(t.Context(), driver.JobStep{ID: j.ID, Turn: j.Turn, Lease: time.Hour, Position: []byte(`{}`), JobTally: driver.JobTally{Applied: 10_000}, State: driver.JobRunning}); err != nil {
			t.Fatal(err)
		}
		for _, page := range []string{"jobs/one?id=" + c.id, ""} {
			text := r.see(admin.Viewer, page, "10,000")
			if c.more {
				r.hasNot(page, text, "100 %", `value="10000"`)
				r.has(page, text, "10,000 of 10,000&#43;")
			} else {
				r.has(page, text, "100 %", `value="10000"`)
			}
		}
	}
}
