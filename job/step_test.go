package job_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/memkit"
	"github.com/sendoff-go/outbox/job"
	"github.com/sendoff-go/outbox/store/memstore"
)

func TestABatchIsSmallWhilePayloadsAreLarge(t *testing.T) {
	store := memstore.New(memstore.Config{})
	es := some(lane, 150)
	for i := range es {
		es[i].JSON = []byte(`"` + strings.Repeat("x", 400_000) + `"`)
	}
	memkit.Write(t, store, es...)
	memkit.Settle(t, store, lane, driver.Outcome{Kind: driver.Dead, Error: "refused"}, true)
	var seen []int64
	j := start(t, store, job.Spec{Action: job.Resolve, All: true})
	if _, err := runner(t, store).RunJob(t.Context(), j.ID, func(j driver.Job) { seen = append(seen, j.Applied) }); err != nil {
		t.Fatal(err)
	}
	if want := []int64{100, 120, 140, 150}; !slices.Equal(seen, want) {
		t.Errorf("progress %v, want %v", seen, want)
	}
}

func TestAStepThatWouldOutliveTheLeaseIsMadeSmaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, _ := dead(t, 300)
		j := start(t, store, job.Spec{Action: job.Delete, All: true})
		slow := hooked{Store: store, deleting: func(ctx context.Context, n int) error {
			select {
			case <-time.After(time.Duration(n) * time.Second):
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}}
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		runner(t, slow).Run(ctx)
		if j := get(t, store, j.ID); j.State != driver.JobDone || j.Applied != 300 {
			t.Errorf("%s, %d deleted after an hour, error %q", j.State, j.Applied, j.Error)
		}
	})
}
