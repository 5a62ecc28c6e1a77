package job_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/memkit"
	"github.com/sendoff-go/outbox/job"
	"github.com/sendoff-go/outbox/store/memstore"
)

func TestAJobChangesWhatItsFilterMatchesAndNothingElse(t *testing.T) {
	store, ids := dead(t, 1203)
	kill(t, store, lane, "no such customer", 7)
	kill(t, store, "order-paid", "refused", 5)
	var seen []int64
	j := start(t, store, job.Spec{Action: job.Retry, Filter: job.Filter{Type: lane, Error: "refus"}})
	if j.Matches.N != int64(len(ids)) || j.State != driver.JobRunning {
		t.Errorf("%+v, want %d matches", j, len(ids))
	}
	j, err := runner(t, store).RunJob(t.Context(), j.ID, func(j driver.Job) { seen = append(seen, j.Applied) })
	if err != nil || j.State != driver.JobDone || j.JobTally != (driver.JobTally{Applied: int64(len(ids))}) {
		t.Errorf("%+v, error %v", j, err)
	}
	if want := []int64{100, 1100, 1203}; !slices.Equal(seen, want) { // a batch grows while payloads are small
		t.Errorf("progress %v, want %v", seen, want)
	}
	if n := memkit.Count(t, store, driver.DeadFilter{}); n != 12 {
		t.Errorf("%d letters are left, want 12", n)
	}
	entries, _, err := store.ListAudit(t.Context(), driver.AuditFilter{}, 0, 10)
	if err != nil || len(entries) != 5 {
		t.Fatalf("%d entries, error %v; want the start, three batches and the end", len(entries), err)
	}
	for i, want := range []driver.AuditAction{driver.AuditJobEnd, driver.AuditRetry, driver.AuditRetry, driver.AuditRetry, driver.AuditJob} {
		if e := entries[i]; e.Action != want || e.By != "ann" {
			t.Errorf("entry %d is %s by %s, want %s", i, e.Action, e.By, want)
		}
	}
}

func TestAJobPutsItsNoteOnLetters(t *testing.T) {
	store, _ := dead(t, 250)
	kill(t, store, "order-paid", "refused", 5)
	j, err := job.Start(t.Context(), store, job.Spec{Action: job.Note, Filter: job.Filter{Type: lane}}, driver.Act{By: "ann", Note: "asked the gateway"})
	if err != nil {
		t.Fatal(err)
	}
	if j, err = runner(t, store).RunJob(t.Context(), j.ID, nil); err != nil || j.State != driver.JobDone || j.Applied != 250 {
		t.Fatalf("%+v, error %v", j, err)
	}
	letters, _, err := store.ListDead(t.Context(), driver.DeadFilter{}, nil, 1000)
	if err != nil || len(letters) != 255 {
		t.Fatalf("%d letters, error %v", len(letters), err)
	}
	for i := range letters {
		if l := &letters[i]; (l.Note == "asked the gateway") != (l.Event.Type == lane) {
			t.Errorf("a letter of %s has the note %q", l.Event.Type, l.Note)
		}
	}
}

func TestAJobChangesTheLettersWhosePayloadMatches(t *testing.T) {
	store := memstore.New(memstore.Config{})
	var es []outbox.Event
	for i := range 3000 {
		es = append(es, outbox.Event{Type: lane, JSON: fmt.Appendf(nil, `{"customer":{"id":%d}}`, i%100)})
	}
	memkit.Write(t, store, es...)
	memkit.Settle(t, store, lane, driver.Outcome{Kind: driver.Dead, Error: "refused"}, true)
	j := run(t, store, job.Spec{Action: job.Retry, Filter: job.Filter{Payload: "$.customer.id=42"}})
	if j.Applied != 30 || !j.Matches.More || memkit.Count(t, store, driver.DeadFilter{}) != 2970 {
		t.Errorf("%+v, %d left; want 30 of 3000", j, memkit.Count(t, store, driver.DeadFilter{}))
	}
	for _, e := range memkit.Settle(t, store, lane, driver.Outcome{Kind: driver.Done}, true) {
		if string(e.JSON) != `{"customer":{"id":42}}` {
			t.Errorf("%s goes back", e.JSON)
		}
	}
}

func TestAJobLeavesWhatDiesAfterItsStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, _ := dead(t, 30)
		<-time.After(time.Second)
		j := start(t, store, job.Spec{Action: job.Retry, All: true, Rate: 10})
		kill(t, store, lane, "refused", 1)
		j, err := runner(t, store).RunJob(t.Context(), j.ID, func(driver.Job) {
			memkit.Settle(t, store, lane, driver.Outcome{Kind: driver.Dead, Error: "refused"}, true)
		})
		if err != nil || j.Applied != 30 {
			t.Errorf("%+v, error %v; want each once", j, err)
		}
		if n := memkit.Count(t, store, driver.DeadFilter{}); n != 31 {
			t.Errorf("%d letters, want 30 that died again and one that came later", n)
		}
	})
}

func TestTwoJobsAtOnceChangeEachLetterOnce(t *testing.T) {
	store, ids := dead(t, 2600)
	var jobs [2]driver.Job
	var wg sync.WaitGroup
	for i := range jobs {
		wg.Go(func() { jobs[i] = run(t, store, job.Spec{Action: job.Retry, All: true}) })
	}
	wg.Wait()
	if n := jobs[0].Applied + jobs[1].Applied; n != int64(len(ids)) {
		t.Errorf("%d and %d were applied, want %d in all", jobs[0].Applied, jobs[1].Applied, len(ids))
	}
	if n := jobs[0].Conflicts + jobs[1].Conflicts; n != 0 {
		t.Errorf("%d conflicts", n)
	}
}

func TestAJobKeepsToItsRateAndDoesNotMakeUpForAStall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, _ := dead(t, 40)
		var at []time.Duration
		began := time.Now()
		stall := func() {
			if len(at) == 2 { // the first page is that of the start
				<-time.After(10 * time.Second)
			}
			at = append(at, time.Since(began))
		}
		run(t, hooked{Store: store, listed: stall}, job.Spec{Action: job.Delete, All: true, Rate: 10})
		if want := []time.Duration{0, 0, 11 * time.Second, 12 * time.Second, 13 * time.Second}; !slices.Equal(at, want) {
			t.Errorf("batches at %v, want %v: none in a burst", at, want)
		}
	})
}

func TestAJobWithARateRestsAsLongAsAStepTakes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, _ := dead(t, 30)
		const slow = 600 * time.Millisecond
		var at []time.Duration
		began := time.Now()
		listed := func() {
			<-time.After(slow)
			at = append(at, time.Since(began))
		}
		run(t, hooked{Store: store, listed: listed}, job.Spec{Action: job.Delete, All: true, Rate: 10})
		if want := []time.Duration{slow, 2 * slow, 4 * slow, 6 * slow}; !slices.Equal(at, want) {
			t.Errorf("batches at %v, want %v: the database has half of the time for others", at, want)
		}
	})
}

func TestAJobLeavesWhatSomebodyElseDealtWith(t *testing.T) {
	for name, meanwhile := range map[string]func(t *testing.T, s *memstore.Store, ids []string){
		"resolved": func(t *testing.T, s *memstore.Store, ids []string) {
			if _, err := s.ResolveDead(t.Context(), driver.DeadIDs(ids...)); err != nil {
				t.Error(err)
			}
		},
		"died again of something else": func(t *testing.T, s *memstore.Store, ids []string) {
			if _, err := s.ReplayDead(t.Context(), driver.DeadIDs(ids...)); err != nil {
				t.Error(err)
			}
			memkit.Settle(t, s, lane, driver.Outcome{Kind: driver.Dead, Error: "another reason"}, true)
		},
	} {
		for _, action := range []job.Action{job.Retry, job.Resolve, job.Delete} {
			t.Run(name+", "+string(action), func(t *testing.T) {
				store, ids := dead(t, 3)
				j := start(t, store, job.Spec{Action: action, Filter: job.Filter{Error: "refused"}})
				j, err := runner(t, hooked{Store: store, listed: func() { meanwhile(t, store, ids) }}).RunJob(t.Context(), j.ID, nil)
				if err != nil || j.JobTally != (driver.JobTally{Gone: 3}) {
					t.Errorf("%+v, error %v; want three that are gone", j, err)
				}
				if n := memkit.Count(t, store, driver.DeadFilter{}) + memkit.Count(t, store, driver.DeadFilter{Resolved: true}); n != 3 {
					t.Errorf("%d letters are left, want 3", n)
				}
			})
		}
	}
}

func TestAJobTakesOnlyTheLettersOfAnIDThatMatch(t *testing.T) {
	store, ids := dead(t, 1)
	again(t, store, ids[0], "another reason")
	j := run(t, store, job.Spec{Action: job.Delete, Filter: job.Filter{Error: "refused"}})
	if j.Applied != 1 || memkit.Count(t, store, driver.DeadFilter{Error: "another"}) != 1 {
		t.Errorf("%+v; the other letter of the id should stay", j)
	}
	again(t, store, ids[0], "another reason")
	if j = run(t, store, job.Spec{Action: job.Retry, All: true}); j.JobTally != (driver.JobTally{Applied: 1, Conflicts: 1}) {
		t.Errorf("%+v; want one back and one that conflicts with it", j)
	}
}

func TestAJobRetriesNoOlderLetterAfterANewerOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, ids := dead(t, 1)
		<-time.After(time.Second)
		again(t, store, ids[0], "refused")
		j := start(t, store, job.Spec{Action: job.Retry, All: true, Rate: 1})
		j, err := runner(t, store).RunJob(t.Context(), j.ID, func(driver.Job) { // before the next page
			for _, e := range memkit.Settle(t, store, lane, driver.Outcome{Kind: driver.Done}, false) {
				if string(e.JSON) != "2" {
					t.Errorf("%s goes back, want the newer one", e.JSON)
				}
			}
		})
		if err != nil || j.JobTally != (driver.JobTally{Applied: 1, Conflicts: 1}) {
			t.Errorf("%+v, error %v; want the newer letter back and the older one left", j, err)
		}
	})
}
