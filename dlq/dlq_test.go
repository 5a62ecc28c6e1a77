package dlq_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/dlq"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/memstore"
)

var ann = driver.Act{By: "ann", Note: "mended"}

// dead is a store with n dead letters of one type.
func dead(t *testing.T, n int) (*memstore.Store, []string) {
	t.Helper()
	store := memstore.New(memstore.Config{})
	return store, kill(t, store, "order-placed", "refused", n)
}

func kill(t *testing.T, store *memstore.Store, eventType, reason string, n int) (ids []string) {
	t.Helper()
	w := outbox.NewWriter(store)
	es := make([]outbox.Event, n)
	for i := range es {
		es[i] = outbox.Event{Type: eventType, JSON: []byte("1")}
	}
	err := w.InTx(t.Context(), func(ctx context.Context, tx *memstore.Tx) (err error) {
		ids, err = w.WriteAll(ctx, tx, es...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	killWaiting(t, store, eventType, reason)
	return ids
}

func killWaiting(t *testing.T, store *memstore.Store, eventType, reason string) {
	t.Helper()
	owner := driver.NewOwner("a")
	cs, err := store.Claim(t.Context(), driver.ClaimRequest{Owner: owner, Lease: time.Hour, Wants: []driver.Want{{Lane: eventType, Rows: 10_000}}})
	if err != nil {
		t.Fatal(err)
	}
	var outcomes []driver.Outcome
	for _, c := range cs {
		outcomes = append(outcomes, driver.Outcome{Held: c.Held, Kind: driver.Dead, Attempts: 3, Error: reason})
	}
	if stale, err := store.Settle(t.Context(), owner, outcomes, true); err != nil || len(stale) > 0 {
		t.Fatalf("stale %v, error %v", stale, err)
	}
}

func count(t *testing.T, store *memstore.Store, f driver.DeadFilter) int64 {
	t.Helper()
	n, err := store.CountDead(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	return n.N
}

func TestAJobChangesWhatItsFilterMatchesAndNothingElse(t *testing.T) {
	store, ids := dead(t, 1203)
	kill(t, store, "order-placed", "no such customer", 7)
	kill(t, store, "order-paid", "refused", 5)
	var seen []int
	report, err := dlq.Run(t.Context(), store, dlq.Job{
		Action: dlq.Retry, Filter: driver.DeadFilter{Lane: "order-placed", Error: "refus"}, Act: ann,
		Progress: func(r dlq.Report) { seen = append(seen, r.Applied) },
	})
	if err != nil || report != (dlq.Report{Applied: len(ids)}) {
		t.Errorf("%+v, error %v", report, err)
	}
	if len(seen) != 13 || seen[0] != 100 || seen[12] != 1203 {
		t.Errorf("progress %v", seen)
	}
	if n := count(t, store, driver.DeadFilter{}); n != 12 {
		t.Errorf("%d letters are left, want 12", n)
	}
	entries, err := store.ListAudit(t.Context(), 0, 10)
	if err != nil || len(entries) != 10 || entries[0].Act != ann || len(entries[0].Subjects) != 3 || len(entries[9].Subjects) != 100 {
		t.Errorf("%d entries, error %v: %+v", len(entries), err, entries[0].Act)
	}
}

func TestAJobLeavesWhatDiesAgainWhileItRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, _ := dead(t, 30)
		<-time.After(time.Second)
		report, err := dlq.Run(t.Context(), store, dlq.Job{Action: dlq.Retry, Act: ann, Batch: 10,
			Progress: func(dlq.Report) { killWaiting(t, store, "order-placed", "refused") }})
		if err != nil || report.Applied != 30 {
			t.Errorf("%+v, error %v; want each once", report, err)
		}
		if n := count(t, store, driver.DeadFilter{}); n != 30 {
			t.Errorf("%d letters, want 30 that died again", n)
		}
	})
}

func TestAJobEndsAtItsLimitAndSaysWhetherThereIsMore(t *testing.T) {
	store, _ := dead(t, 250)
	for _, want := range []dlq.Report{{Applied: 120, More: true}, {Applied: 120, More: true}, {Applied: 10}} {
		report, err := dlq.Run(t.Context(), store, dlq.Job{Action: dlq.Resolve, Act: ann, Limit: 120})
		if err != nil || report != want {
			t.Errorf("%+v, error %v; want %+v", report, err, want)
		}
	}
	kill(t, store, "order-placed", "refused", 120)
	if report, err := dlq.Run(t.Context(), store, dlq.Job{Action: dlq.Resolve, Act: ann, Limit: 120}); err != nil || report.More || report.Applied != 120 {
		t.Errorf("%+v, error %v; want just those", report, err)
	}
}

func TestTwoJobsAtOnceChangeEachLetterOnce(t *testing.T) {
	store, ids := dead(t, 600)
	var reports [2]dlq.Report
	var wg sync.WaitGroup
	for i := range reports {
		wg.Go(func() {
			var err error
			if reports[i], err = dlq.Run(t.Context(), store, dlq.Job{Action: dlq.Retry, Act: ann, Batch: 7}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n := reports[0].Applied + reports[1].Applied; n != len(ids) {
		t.Errorf("%d and %d were applied, want %d in all", reports[0].Applied, reports[1].Applied, len(ids))
	}
	if n := reports[0].Conflicts + reports[1].Conflicts; n != 0 {
		t.Errorf("%d conflicts", n)
	}
}

func TestAJobKeepsToItsRateAndEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, _ := dead(t, 100)
		start := time.Now()
		if _, err := dlq.Run(t.Context(), store, dlq.Job{Action: dlq.Delete, Act: ann, Rate: 10}); err != nil || time.Since(start) != 9*time.Second { // the first batch at once
			t.Errorf("100 letters at 10 a second took %s, error %v", time.Since(start), err)
		}
		kill(t, store, "order-placed", "refused", 100)
		ctx, cancel := context.WithTimeout(t.Context(), 3500*time.Millisecond)
		defer cancel()
		report, err := dlq.Run(ctx, store, dlq.Job{Action: dlq.Delete, Act: ann, Rate: 10})
		if !errors.Is(err, context.DeadlineExceeded) || report.Applied != 40 || count(t, store, driver.DeadFilter{}) != 60 {
			t.Errorf("%+v, error %v, %d left", report, err, count(t, store, driver.DeadFilter{}))
		}
	})
}

func TestAnActionIsAppliedAndAudited(t *testing.T) {
	store, ids := dead(t, 6)
	for i, action := range []dlq.Action{dlq.Retry, dlq.Resolve, dlq.Delete} {
		results, err := dlq.Apply(t.Context(), store, action, ann, ids[2*i:2*i+2])
		if err != nil || len(results) != 2 || results[0].Status != driver.DeadApplied {
			t.Errorf("%s: %v, error %v", action, results, err)
		}
	}
	if open, resolved := count(t, store, driver.DeadFilter{}), count(t, store, driver.DeadFilter{Resolved: true}); open != 0 || resolved != 2 {
		t.Errorf("%d open and %d resolved letters, want 0 and 2", open, resolved)
	}
	entries, err := store.ListAudit(t.Context(), 0, 10)
	if err != nil || len(entries) != 3 {
		t.Fatalf("%d entries, error %v", len(entries), err)
	}
	for i, e := range entries { // the latest first
		if e.Act != ann || !slices.Equal(e.Subjects, ids[4-2*i:6-2*i]) {
			t.Errorf("%+v, want %v by %+v", e, ids[4-2*i:6-2*i], ann)
		}
	}
}

// between calls a function after each page that is listed, before it is acted on.
type between struct {
	*memstore.Store
	then func()
}

func (b between) ListDead(ctx context.Context, f driver.DeadFilter, after *driver.DeadCursor, limit int) ([]driver.DeadLetter, *driver.DeadCursor, error) {
	ls, next, err := b.Store.ListDead(ctx, f, after, limit)
	if len(ls) > 0 {
		b.then()
	}
	return ls, next, err
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
			killWaiting(t, s, "order-placed", "another reason")
		},
	} {
		for _, action := range []dlq.Action{dlq.Retry, dlq.Resolve, dlq.Delete} {
			t.Run(name+", "+string(action), func(t *testing.T) {
				store, ids := dead(t, 3)
				report, err := dlq.Run(t.Context(), between{store, func() { meanwhile(t, store, ids) }}, dlq.Job{Action: action, Act: ann, Filter: driver.DeadFilter{Error: "refused"}})
				if err != nil || report != (dlq.Report{Gone: 3}) {
					t.Errorf("%+v, error %v; want three that are gone", report, err)
				}
				if n := count(t, store, driver.DeadFilter{}) + count(t, store, driver.DeadFilter{Resolved: true}); n != 3 {
					t.Errorf("%d letters are left, want 3", n)
				}
				if entries, err := store.ListAudit(t.Context(), 0, 10); err != nil || len(entries) > 0 {
					t.Errorf("%+v, error %v; want no entry", entries, err)
				}
			})
		}
	}
}

func TestAJobTakesOnlyTheLettersOfAnIDThatMatch(t *testing.T) {
	store, ids := dead(t, 1)
	again(t, store, ids[0], "another reason")
	report, err := dlq.Run(t.Context(), store, dlq.Job{Action: dlq.Delete, Act: ann, Filter: driver.DeadFilter{Error: "refused"}})
	if err != nil || report.Applied != 1 || count(t, store, driver.DeadFilter{Error: "another"}) != 1 {
		t.Errorf("%+v, error %v; the other letter of the id should stay", report, err)
	}
	again(t, store, ids[0], "another reason")
	report, err = dlq.Run(t.Context(), store, dlq.Job{Action: dlq.Retry, Act: ann})
	if err != nil || report != (dlq.Report{Applied: 1, Conflicts: 1}) {
		t.Errorf("%+v, error %v; want one back and one that conflicts with it", report, err)
	}
}

// again lets an event of the same id die for another reason.
func again(t *testing.T, store *memstore.Store, id, reason string) {
	t.Helper()
	w := outbox.NewWriter(store)
	err := w.InTx(t.Context(), func(ctx context.Context, tx *memstore.Tx) error {
		e := outbox.Event{Type: "order-placed", JSON: []byte("2")}
		e.ID = id
		_, err := w.Write(ctx, tx, e)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	killWaiting(t, store, "order-placed", reason)
}

func TestAJobDoesNotMakeUpForAStall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, _ := dead(t, 40)
		var at []time.Duration
		start := time.Now()
		stall := func() {
			if len(at) == 1 {
				<-time.After(time.Minute)
			}
			at = append(at, time.Since(start))
		}
		if _, err := dlq.Run(t.Context(), between{store, stall}, dlq.Job{Action: dlq.Delete, Act: ann, Rate: 10}); err != nil {
			t.Error(err)
		}
		if want := []time.Duration{0, 61 * time.Second, 61 * time.Second, 62 * time.Second}; !slices.Equal(at, want) {
			t.Errorf("batches at %v, want %v: none in a burst", at, want)
		}
	})
}

func TestAJobRetriesNoOlderLetterAfterANewerOne(t *testing.T) {
	store, ids := dead(t, 1)
	again(t, store, ids[0], "refused")
	delivered := func(dlq.Report) { // before the next page
		owner := driver.NewOwner("a")
		cs, err := store.Claim(t.Context(), driver.ClaimRequest{Owner: owner, Lease: time.Hour, Wants: []driver.Want{{Lane: "order-placed", Rows: 10}}})
		if err != nil {
			t.Error(err)
		}
		for _, c := range cs {
			if string(c.Event.JSON) != "2" {
				t.Errorf("%s goes back, want the newer one", c.Event.JSON)
			}
			if _, err := store.Settle(t.Context(), owner, []driver.Outcome{{Held: c.Held, Kind: driver.Done}}, false); err != nil {
				t.Error(err)
			}
		}
	}
	report, err := dlq.Run(t.Context(), store, dlq.Job{Action: dlq.Retry, Act: ann, Batch: 1, Progress: delivered})
	if err != nil || report != (dlq.Report{Applied: 1, Conflicts: 1}) {
		t.Errorf("%+v, error %v; want the newer letter back and the older one left", report, err)
	}
}

func TestWrongCallsSayWhatToDo(t *testing.T) {
	store, ids := dead(t, 1)
	for name, c := range map[string]struct {
		action dlq.Action
		act    driver.Act
		ids    []string
		want   error
	}{
		"nobody":       {dlq.Retry, driver.Act{}, ids, dlq.ErrNobody},
		"too many ids": {dlq.Retry, ann, make([]string, dlq.MaxIDs+1), dlq.ErrTooMany},
		"no action":    {"IN_PROCESS", ann, ids, nil},
	} {
		if _, err := dlq.Apply(t.Context(), store, c.action, c.act, c.ids); err == nil || (c.want != nil && !errors.Is(err, c.want)) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	results, err := dlq.Apply(t.Context(), store, dlq.Resolve, ann, []string{"unknown", ids[0]})
	if want := fmt.Sprint([]driver.DeadResult{{ID: "unknown", Status: driver.DeadNotFound}, {ID: ids[0], Status: driver.DeadApplied}}); err != nil || fmt.Sprint(results) != want {
		t.Errorf("%v, error %v; want %s", results, err, want)
	}
}
