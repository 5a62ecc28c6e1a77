package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

func jobLaws[Tx any]() []Law[Tx] {
	return []Law[Tx]{
		{
			Name:  "a job is kept as it was added, and listed latest first",
			Why:   "another process must be able to do what the first was told",
			Check: check(jobsAreKept[Tx]),
		},
		{
			Name:  "of many that claim, one gets a job",
			Why:   "two that work on one job would exceed its rate and its limit",
			Check: check(oneGetsAJob[Tx]),
		},
		{
			Name:  "a job goes on with another owner after its lease",
			Why:   "a crash must not leave the work of a night half done",
			Check: check(jobsChangeHands[Tx]),
		},
		{
			Name:  "a step of a job and what it changes are one",
			Why:   "a job that does a batch again miscounts, or copies events twice",
			Check: check(stepsAreOne[Tx]),
		},
		{
			Name:  "the audit log says which job made a change",
			Why:   "who asks why a letter is gone must find the filter that chose it",
			Check: check(batchesNameTheirJob[Tx]),
		},
		{
			Name:  "a filter of jobs matches exactly what it names",
			Why:   "a job that is left out waits for a consent that nobody gives",
			Check: check(jobsAreFiltered[Tx]),
		},
		{
			Name:  "a job runs with consent, and ends when it is cancelled",
			Why:   "what a person has stopped must stop, on every instance",
			Check: check(peopleDecide[Tx]),
		},
		{
			Name:  "a job that is added again is there once, as it was",
			Why:   "the answer to a start may be lost, and its caller tries again",
			Check: check(jobsAreAddedOnce[Tx]),
		},
		{
			Name:  "a job that nobody allows in time expires",
			Why:   "the table must have a bound, and an old consent must not surprise",
			Check: check(waitingJobsExpire[Tx]),
		},
		{
			Name:  "a sweep deletes only jobs that ended long ago",
			Why:   "the table must have a bound, and a job must not vanish",
			Check: check(jobsAreSwept[Tx]),
		},
	}
}

// jobs is the power that the laws of this file are about.
func (k *kit[Tx]) jobs() driver.JobStore { return k.Store.(driver.JobStore) }

// addJob adds a job that is ready to run.
func (k *kit[Tx]) addJob() driver.Job {
	k.Helper()
	j := driver.Job{ID: outbox.NewID(), Action: "resolve", Spec: []byte(`{}`), Act: driver.Act{By: "ann"}, State: driver.JobRunning}
	k.add(j)
	return j
}

// add adds a job that must be new.
func (k *kit[Tx]) add(j driver.Job) {
	k.Helper()
	added, err := k.jobs().AddJob(k.ctx, j)
	if k.must(err); !added {
		k.Fatalf("job %s was not added", j.ID)
	}
}

// job returns a job that must exist, read by another client.
func (k *kit[Tx]) job(id string) driver.Job {
	k.Helper()
	j, found, err := k.client(1).(driver.JobStore).GetJob(k.ctx, id)
	k.must(err)
	if !found {
		k.Fatalf("there is no job %s", id)
	}
	return j
}

// claimJob claims a job that must be free.
func (k *kit[Tx]) claimJob(id string, owner driver.Owner, lease time.Duration) driver.Job {
	k.Helper()
	j, found, err := k.jobs().ClaimJob(k.ctx, id, owner, lease)
	k.must(err)
	if !found {
		k.Fatalf("job %q cannot be claimed", id)
	}
	return j
}

// lost fails the test unless a step was refused.
func (k *kit[Tx]) lost(what string, err error) {
	k.Helper()
	if !errors.Is(err, driver.ErrJobLost) {
		k.Errorf("%s: error %v, expected ErrJobLost", what, err)
	}
}

func jobsAreKept[Tx any](k *kit[Tx]) {
	odd := driver.Job{
		ID: outbox.NewID(), Action: "retry", Spec: []byte(`{"error":"it's 100% \"so\" \\ 語"}`),
		Act: driver.Act{By: "Ann \"語\"", Note: "it's\nmended"}, Matches: driver.Count{N: 100_000, More: true}, State: driver.JobWaiting,
	}
	k.add(odd)
	got := k.job(odd.ID)
	if got.CreatedAt.IsZero() || got.ChangedAt.Before(got.CreatedAt) || !got.EndedAt.IsZero() || !got.HeldUntil.IsZero() || len(got.Position) != 0 {
		k.Errorf("%+v, expected a new one", got)
	}
	if got.ID != odd.ID || got.Action != odd.Action || string(got.Spec) != string(odd.Spec) || got.Act != odd.Act || got.Matches != odd.Matches ||
		got.State != odd.State || got.JobTally != (driver.JobTally{}) || got.Owner != "" || got.DecidedBy != "" || got.Error != "" {
		k.Errorf("%+v, expected %+v", got, odd)
	}
	if log, ok := k.Store.(driver.AuditStore); ok {
		es, _, err := log.ListAudit(k.ctx, driver.AuditFilter{}, 0, 1)
		k.must(err)
		if len(es) != 1 || es[0].Act != odd.Act || es[0].Action != driver.AuditJob || !slices.Equal(es[0].Subjects, odd.Started()) {
			k.Errorf("the log says %+v, expected the start of %+v", es, odd)
		}
	}
	ids := []string{odd.ID, k.addJob().ID, k.addJob().ID}
	slices.Reverse(ids)
	var listed []string
	for before := ""; len(listed) < len(ids); before = listed[len(listed)-1] {
		page, _, err := k.jobs().ListJobs(k.ctx, driver.JobFilter{}, before, 2)
		k.must(err)
		if len(page) == 0 || len(page) > 2 {
			k.Fatalf("a page of %d after %v", len(page), listed)
		}
		for _, j := range page {
			listed = append(listed, j.ID)
		}
	}
	if !slices.Equal(listed, ids) {
		k.Errorf("listed %v, expected %v", listed, ids)
	}
	if _, found, err := k.jobs().GetJob(k.ctx, "unknown"); found || err != nil {
		k.Errorf("found %t, error %v", found, err)
	}
}

func oneGetsAJob[Tx any](k *kit[Tx]) {
	var want []string
	for range 5 {
		want = append(want, k.addJob().ID)
	}
	var mu sync.Mutex
	var got []string
	k.eventually("all are claimed", func() bool { // who comes second may skip what the first has locked
		k.run(4, func(i int, s Store[Tx]) {
			j, found, err := s.(driver.JobStore).ClaimJob(k.ctx, "", driver.NewOwner(fmt.Sprint(i)), long)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				k.Error(err)
			}
			if found {
				got = append(got, j.ID)
			}
		}).Wait()
		return len(got) >= len(want)
	})
	slices.Sort(got)
	if !slices.Equal(got, want) {
		k.Errorf("%v were claimed, expected each once: %v", got, want)
	}
}

func jobsChangeHands[Tx any](k *kit[Tx]) {
	a, b := driver.NewOwner("a"), driver.NewOwner("b")
	first, second := k.addJob(), k.addJob()
	held := k.claimJob("", a, long)
	if held.ID != first.ID || held.Owner != a || held.HeldUntil.IsZero() || held.Turn == 0 {
		k.Errorf("claimed %+v, expected the earliest", held)
	}
	for _, id := range []string{first.ID, "unknown"} {
		if j, found, err := k.jobs().ClaimJob(k.ctx, id, b, long); found || err != nil {
			k.Errorf("claimed %+v of another, error %v", j, err)
		}
	}
	if j := k.claimJob("", a, long); j.ID != second.ID {
		k.Errorf("claimed %+v, expected the one that nobody has", j)
	}
	again := k.claimJob(first.ID, a, long)
	k.lost("a step under the number of an earlier claim", k.jobs().StepJob(k.ctx, driver.JobStep{ID: first.ID, Turn: held.Turn, State: driver.JobRunning}))
	k.must(k.jobs().StepJob(k.ctx, driver.JobStep{ID: first.ID, Turn: again.Turn, State: driver.JobRunning, Position: []byte(`{"at":7}`), Lease: brief}))
	var taken driver.Job
	k.eventually("the job is free", func() bool {
		j, found, err := k.jobs().ClaimJob(k.ctx, "", b, long)
		k.must(err)
		taken = j
		return found
	})
	if taken.ID != first.ID || taken.Owner != b || string(taken.Position) != `{"at":7}` {
		k.Errorf("took over %+v, expected the first where it was", taken)
	}
	k.lost("a step of the one before", k.jobs().StepJob(k.ctx, driver.JobStep{ID: first.ID, Turn: again.Turn + 1, State: driver.JobRunning}))
}

func stepsAreOne[Tx any](k *kit[Tx]) {
	letters, ok := k.Store.(driver.DeadLetterStore)
	if !ok {
		return
	}
	ids := k.kill("reason", events(lane, 3)...)
	j := k.claimJob(k.addJob().ID, driver.NewOwner("a"), long)
	step := driver.JobStep{ID: j.ID, Turn: j.Turn, Position: []byte(`"語"`), JobTally: driver.JobTally{Conflicts: 5}, Lease: long, State: driver.JobRunning}
	late := step
	late.Turn--
	_, err := letters.DeleteDead(driver.WithStep(k.ctx, late), driver.DeadIDs(ids...))
	k.lost("a call of an earlier turn", err)
	k.dead(ids...)
	if got := k.job(j.ID); got.Turn != j.Turn || got.JobTally != (driver.JobTally{}) {
		k.Errorf("%+v, expected it as before", got)
	}
	_, err = letters.ResolveDead(driver.WithStep(k.ctx, step), driver.DeadIDs(ids[0], ids[1], "unknown"))
	k.must(err)
	if got := k.job(j.ID); got.Turn != j.Turn+1 || string(got.Position) != `"語"` || got.JobTally != (driver.JobTally{Applied: 2, Conflicts: 5, Gone: 1}) {
		k.Errorf("%+v, expected what the call did", got)
	}
	_, err = letters.ResolveDead(driver.WithStep(k.ctx, step), driver.DeadIDs(ids[2]))
	k.lost("the same call again", err)
	if l := k.letter(ids[2]); !l.ResolvedAt.IsZero() {
		k.Error("a letter was resolved by a step that was refused")
	}
	step.Turn, step.State, step.Error = j.Turn+1, driver.JobFailed, "no \"more\""
	k.must(k.jobs().StepJob(k.ctx, step))
	got := k.job(j.ID)
	if got.State != driver.JobFailed || got.Error != step.Error || got.EndedAt.IsZero() || got.Owner != "" || got.JobTally != (driver.JobTally{Applied: 2, Conflicts: 10, Gone: 1}) {
		k.Errorf("%+v, expected its end", got)
	}
	k.audited(driver.Act{By: "ann", Note: step.Error}, driver.AuditJobEnd, got.Told())
	step.Turn++
	k.lost("a step after the end", k.jobs().StepJob(k.ctx, step))
}

// audited checks the latest entry of the audit log, if there is one.
func (k *kit[Tx]) audited(a driver.Act, action driver.AuditAction, subjects []string) {
	k.Helper()
	log, ok := k.Store.(driver.AuditStore)
	if !ok {
		return
	}
	es, _, err := log.ListAudit(k.ctx, driver.AuditFilter{}, 0, 1)
	k.must(err)
	if len(es) != 1 || es[0].Act != a || es[0].Action != action || !slices.Equal(es[0].Subjects, subjects) {
		k.Errorf("the log says %+v, expected %s of %v by %+v", es, action, subjects, a)
	}
}

func peopleDecide[Tx any](k *kit[Tx]) {
	bob := driver.Act{By: "bob", Note: "looks \"right\""}
	waiting := driver.Job{ID: outbox.NewID(), Action: "delete", Spec: []byte(`{}`), Act: driver.Act{By: "ann"}, State: driver.JobWaiting}
	k.add(waiting)
	if j, found, err := k.jobs().ClaimJob(k.ctx, "", driver.NewOwner("a"), long); found || err != nil {
		k.Errorf("claimed %+v without consent, error %v", j, err)
	}
	decide := func(d driver.JobDecision, want bool, state driver.JobState) driver.Job {
		k.Helper()
		j, changed, err := k.jobs().DecideJob(k.ctx, waiting.ID, d, bob)
		k.must(err)
		if changed != want || j.State != state || j.DecidedBy != bob.By {
			k.Errorf("%s: changed %t, %+v, expected %t and %s", d, changed, j, want, state)
		}
		if want {
			k.audited(bob, d.Audit(), j.Told())
		}
		return j
	}
	decide(driver.JobConsent, true, driver.JobRunning)
	decide(driver.JobConsent, false, driver.JobRunning)
	held := k.claimJob("", driver.NewOwner("a"), long)
	if j := decide(driver.JobCancel, true, driver.JobCancelled); j.EndedAt.IsZero() || j.Owner != "" {
		k.Errorf("%+v, expected its end", j)
	}
	decide(driver.JobCancel, false, driver.JobCancelled)
	decide(driver.JobConsent, false, driver.JobCancelled)
	k.lost("a step of a cancelled job", k.jobs().StepJob(k.ctx, driver.JobStep{ID: held.ID, Turn: held.Turn, State: driver.JobRunning}))
	if j, changed, err := k.jobs().DecideJob(k.ctx, "unknown", driver.JobCancel, bob); changed || j.ID != "" || err != nil {
		k.Errorf("changed %t, %+v, error %v", changed, j, err)
	}
}

func jobsAreAddedOnce[Tx any](k *kit[Tx]) {
	j := driver.Job{ID: outbox.NewID(), Action: "resolve", Spec: []byte(`{}`), Act: driver.Act{By: "ann"}, State: driver.JobRunning}
	var mu sync.Mutex
	added := 0
	k.run(4, func(_ int, s Store[Tx]) {
		first, err := s.(driver.JobStore).AddJob(k.ctx, j)
		mu.Lock()
		defer mu.Unlock()
		if err != nil {
			k.Error(err)
		}
		if first {
			added++
		}
	}).Wait()
	if added != 1 {
		k.Errorf("it was added %d times by four who tried", added)
	}
	held := k.claimJob(j.ID, driver.NewOwner("a"), long)
	other := driver.Job{ID: j.ID, Action: "delete", Spec: []byte(`{"all":true}`), Act: driver.Act{By: "bob"}, State: driver.JobWaiting}
	again, err := k.jobs().AddJob(k.ctx, other)
	k.must(err)
	if got := k.job(j.ID); again || got.Action != j.Action || got.Act != j.Act || got.Turn != held.Turn || got.Owner != held.Owner {
		k.Errorf("added again: %t, and it is %+v; expected it as it was", again, got)
	}
	k.audited(j.Act, driver.AuditJob, j.Started())
	if log, ok := k.Store.(driver.AuditStore); ok {
		es, _, err := log.ListAudit(k.ctx, driver.AuditFilter{}, 0, all)
		k.must(err)
		if len(es) != 1 {
			k.Errorf("the log says %+v, expected one start", es)
		}
	}
}

func waitingJobsExpire[Tx any](k *kit[Tx]) {
	running := k.addJob()
	var ids []string
	for range 3 {
		j := driver.Job{ID: outbox.NewID(), Action: "delete", Spec: []byte(`{}`), Act: driver.Act{By: "ann", Note: "mended"}, State: driver.JobWaiting}
		k.add(j)
		ids = append(ids, j.ID)
	}
	if _, _, err := k.jobs().DecideJob(k.ctx, ids[2], driver.JobConsent, driver.Act{By: "bob"}); err != nil {
		k.Fatal(err)
	}
	expired, _, err := k.jobs().SweepJobs(k.ctx, driver.JobSweep{Waiting: long, Ended: long, Limit: all})
	if k.must(err); expired != 0 {
		k.Errorf("%d expired, but none has waited for an hour", expired)
	}
	sum := 0
	k.eventually("the waiting ones expire", func() bool {
		n, _, err := k.jobs().SweepJobs(k.ctx, driver.JobSweep{Ended: long, Limit: 1})
		k.must(err)
		if n > 1 {
			k.Fatalf("%d expired, asked for at most 1", n)
		}
		sum += n
		return sum == 2
	})
	for _, id := range ids[:2] {
		j := k.job(id)
		if j.State != driver.JobExpired || !j.State.Ended() || j.EndedAt.IsZero() || j.Error != driver.NobodyAllowed || j.DecidedBy != "" {
			k.Errorf("%+v, expected that it has expired", j)
		}
		if _, changed, err := k.jobs().DecideJob(k.ctx, id, driver.JobConsent, driver.Act{By: "bob"}); changed || err != nil {
			k.Errorf("allowed after its end: %t, error %v", changed, err)
		}
	}
	last := k.job(ids[1])
	k.audited(driver.Act{By: "ann", Note: driver.NobodyAllowed}, driver.AuditJobEnd, last.Told())
	if n, _, err := k.jobs().SweepJobs(k.ctx, driver.JobSweep{Ended: long, Limit: all}); n != 0 || err != nil {
		k.Errorf("%d more expired, error %v; expected only those that wait", n, err)
	}
	for _, id := range []string{running.ID, ids[2]} {
		if j := k.job(id); j.State != driver.JobRunning {
			k.Errorf("%+v, expected it to run", j)
		}
	}
}

func jobsAreSwept[Tx any](k *kit[Tx]) {
	open := k.addJob()
	for range 2 {
		_, _, err := k.jobs().DecideJob(k.ctx, k.addJob().ID, driver.JobCancel, driver.Act{By: "bob"})
		k.must(err)
	}
	_, n, err := k.jobs().SweepJobs(k.ctx, driver.JobSweep{Ended: long, Limit: all})
	k.must(err)
	if n != 0 {
		k.Errorf("swept %d, but none ended an hour ago", n)
	}
	swept := 0
	k.eventually("the ended ones are swept", func() bool {
		_, n, err := k.jobs().SweepJobs(k.ctx, driver.JobSweep{Limit: 1})
		k.must(err)
		if n > 1 {
			k.Fatalf("swept %d, asked for at most 1", n)
		}
		swept += n
		return swept == 2
	})
	if left, _, err := k.jobs().ListJobs(k.ctx, driver.JobFilter{}, "", all); err != nil || len(left) != 1 || left[0].ID != open.ID {
		k.Errorf("%+v are left, error %v, expected the one that has not ended", left, err)
	}
}

// jobCalls are the methods of [driver.JobStore].
func jobCalls[Tx any]() []call[Tx] {
	jobs := func(f func(ctx context.Context, s driver.JobStore) error) func(context.Context, Store[Tx]) error {
		return func(ctx context.Context, s Store[Tx]) error { return f(ctx, s.(driver.JobStore)) }
	}
	return []call[Tx]{
		{"AddJob", jobs(func(ctx context.Context, s driver.JobStore) error {
			_, err := s.AddJob(ctx, driver.Job{ID: outbox.NewID(), Action: "x", Spec: []byte(`{}`), Act: driver.Act{By: "ann"}, State: driver.JobWaiting})
			return err
		})},
		{"GetJob", jobs(func(ctx context.Context, s driver.JobStore) error {
			_, _, err := s.GetJob(ctx, "x")
			return err
		})},
		{"ListJobs", jobs(func(ctx context.Context, s driver.JobStore) error {
			_, _, err := s.ListJobs(ctx, driver.JobFilter{}, "", 10)
			return err
		})},
		{"ClaimJob", jobs(func(ctx context.Context, s driver.JobStore) error {
			_, _, err := s.ClaimJob(ctx, "", driver.NewOwner("a"), long)
			return err
		})},
		{"StepJob", jobs(func(ctx context.Context, s driver.JobStore) error {
			if err := s.StepJob(ctx, driver.JobStep{ID: "x", State: driver.JobRunning}); !errors.Is(err, driver.ErrJobLost) {
				return err
			}
			return nil
		})},
		{"DecideJob", jobs(func(ctx context.Context, s driver.JobStore) error {
			_, _, err := s.DecideJob(ctx, "x", driver.JobCancel, driver.Act{By: "ann"})
			return err
		})},
		{"SweepJobs", jobs(func(ctx context.Context, s driver.JobStore) error {
			_, _, err := s.SweepJobs(ctx, driver.JobSweep{Waiting: long, Ended: long, Limit: 10})
			return err
		})},
	}
}
