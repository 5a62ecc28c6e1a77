package job_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/memkit"
	"github.com/sendoff-go/outbox/job"
)

func get(t *testing.T, store job.Store, id string) driver.Job {
	t.Helper()
	j, found, err := store.GetJob(t.Context(), id)
	if err != nil || !found {
		t.Fatalf("found %t, error %v", found, err)
	}
	return j
}

func TestARunnerRunsWhatIsStartedAndStopsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, _ := dead(t, 100)
		quick := start(t, store, job.Spec{Action: job.Resolve, Filter: job.Filter{Type: "other"}})
		slow := start(t, store, job.Spec{Action: job.Delete, All: true, Rate: 10})
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { defer close(done); runner(t, store).Run(ctx) }()
		<-time.After(4500 * time.Millisecond)
		if j := get(t, store, quick.ID); j.State != driver.JobDone {
			t.Errorf("%+v waits for the slow one", j)
		}
		cancel()
		<-done
		j := get(t, store, slow.ID)
		if j.State != driver.JobRunning || j.Applied != 50 || memkit.Count(t, store, driver.DeadFilter{}) != 50 {
			t.Errorf("%+v, %d left; want 50 of 100 deleted", j, memkit.Count(t, store, driver.DeadFilter{}))
		}
		if j, found, err := store.ClaimJob(t.Context(), "", driver.NewOwner("b"), time.Minute); !found || err != nil || j.ID != slow.ID {
			t.Errorf("%+v, found %t, error %v; want it to be given back", j, found, err)
		}
	})
}

func TestAnotherRunnerContinuesAJobAfterACrash(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, ids := dead(t, 1500)
		j := start(t, store, job.Spec{Action: job.Delete, All: true})
		calls := 0
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		crash := hooked{Store: store, deleted: func() error {
			if calls++; calls >= 2 {
				cancel()
				return errors.New("the process is gone")
			}
			return nil
		}}
		if _, err := runner(t, crash).RunJob(ctx, j.ID, nil); err == nil {
			t.Fatal("it did not crash")
		}
		second, err := runner(t, store).RunJob(t.Context(), j.ID, nil)
		if err != nil || second.State != driver.JobDone || second.JobTally != (driver.JobTally{Applied: int64(len(ids))}) {
			t.Errorf("%+v, error %v; want each letter counted once", second, err)
		}
	})
}

func TestAStepWhoseAnswerWasLostIsNotCountedTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, ids := dead(t, 1500)
		calls := 0
		lossy := hooked{Store: store, resolved: func(err error) error {
			if calls++; calls%2 == 1 {
				return fmt.Errorf("%w: the connection broke after the commit", outbox.ErrStoreDown)
			}
			return err
		}}
		j := run(t, lossy, job.Spec{Action: job.Resolve, All: true})
		if j.State != driver.JobDone || j.JobTally != (driver.JobTally{Applied: int64(len(ids))}) {
			t.Errorf("%+v; want each letter counted once", j)
		}
	})
}

func TestLettersOfAStepThatFailedAreRetriedByTheNext(t *testing.T) {
	for name, fault := range map[string]error{"outage": outbox.ErrStoreDown, "deadlock": errors.New("deadlock")} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				store, ids := dead(t, 1500)
				calls := 0
				flaky := hooked{Store: store, replayed: func() error {
					if calls++; calls == 2 {
						return fault
					}
					return nil
				}}
				j := run(t, flaky, job.Spec{Action: job.Retry, All: true})
				if j.State != driver.JobDone || j.JobTally != (driver.JobTally{Applied: int64(len(ids))}) {
					t.Errorf("%s with %+v; want each letter back", j.State, j.JobTally)
				}
			})
		})
	}
}

func TestAJobFailsAfterFiveStepsThatFailInARow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, _ := dead(t, 3)
		calls := 0
		j := run(t, hooked{Store: store, deleted: func() error { calls++; return errors.New("no right to delete") }}, job.Spec{Action: job.Delete, All: true})
		if j.State != driver.JobFailed || j.Error != "no right to delete" || calls != 5 {
			t.Errorf("%+v after %d calls", j, calls)
		}
		calls = 0
		outage := hooked{Store: store, deleted: func() error {
			if calls++; calls < 20 {
				return outbox.ErrStoreDown
			}
			return nil
		}}
		if j := run(t, outage, job.Spec{Action: job.Delete, All: true}); j.State != driver.JobDone || j.Applied != 3 {
			t.Errorf("%+v; an outage must not end it", j)
		}
	})
}

func TestACancelledJobStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, _ := dead(t, 50)
		j := start(t, store, job.Spec{Action: job.Delete, All: true, Rate: 10})
		j, err := runner(t, store).RunJob(t.Context(), j.ID, func(j driver.Job) {
			if j.Applied == 20 {
				if _, err := job.Cancel(t.Context(), store, j.ID, bob); err != nil {
					t.Error(err)
				}
			}
		})
		if err != nil || j.State != driver.JobCancelled || j.DecidedBy != "bob" || j.Applied != 20 || memkit.Count(t, store, driver.DeadFilter{}) != 30 {
			t.Errorf("%+v, error %v, %d left", j, err, memkit.Count(t, store, driver.DeadFilter{}))
		}
		if _, err := job.Cancel(t.Context(), store, j.ID, bob); !errors.Is(err, job.ErrDecided) {
			t.Errorf("error %v", err)
		}
	})
}

func TestAnOutageHidesNoJobFromWhoeverStartsOrWatchesIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, _ := dead(t, 3)
		calls := 0
		flaky := hooked{Store: store, got: func() error {
			if calls++; calls < 5 {
				return outbox.ErrStoreDown
			}
			return nil
		}}
		j := start(t, flaky, job.Spec{Action: job.Delete, All: true})
		j, err := runner(t, flaky).RunJob(t.Context(), j.ID, nil)
		if err != nil || j.State != driver.JobDone || j.Applied != 3 {
			t.Errorf("%s, %d deleted, error %v", j.State, j.Applied, err)
		}
	})
}
