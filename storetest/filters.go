package storetest

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// auditOf returns the entries that a filter matches, latest first, in pages of two.
func (k *kit[Tx]) auditOf(f driver.AuditFilter) (found []driver.AuditEntry) {
	k.Helper()
	for before := int64(0); ; {
		page, next, err := k.audits().ListAudit(k.ctx, f, before, 2)
		k.must(err)
		if found = append(found, page...); len(page) > 2 || len(found) > 100 {
			k.Fatalf("a page of %d, %d in all", len(page), len(found))
		}
		if before = next; next == 0 {
			return found
		}
	}
}

func auditIsFiltered[Tx any](k *kit[Tx]) {
	control, ok := k.Store.(driver.ControlStore)
	if !ok {
		return
	}
	for i, by := range []string{"ann", "bob", "Ann", "ann ", "ann", "語 \"x\" %_"} {
		k.must(control.SetPaused(k.ctx, driver.PausableLane(fmt.Sprint(i)), i != 4, by))
	}
	whole := k.entries() // the latest first
	first, last := whole[4].At, whole[1].At
	between := func(after, before time.Time) string { // several may have one time
		var lanes []string
		for _, e := range whole {
			if (after.IsZero() || e.At.After(after)) && (before.IsZero() || e.At.Before(before)) {
				lanes = append(lanes, e.Subjects...)
			}
		}
		return strings.Join(lanes, " ")
	}
	for _, tt := range []struct {
		f    driver.AuditFilter
		want string // the lanes
	}{
		{driver.AuditFilter{}, "5 4 3 2 1 0"},
		{driver.AuditFilter{By: "ann"}, "4 0"},
		{driver.AuditFilter{By: "ann "}, "3"},
		{driver.AuditFilter{By: "語 \"x\" %_"}, "5"},
		{driver.AuditFilter{By: "nobody"}, ""},
		{driver.AuditFilter{Action: driver.AuditPause}, "5 3 2 1 0"},
		{driver.AuditFilter{Action: driver.AuditResume, By: "ann"}, "4"},
		{driver.AuditFilter{Action: driver.AuditResume, By: "bob"}, ""},
		{driver.AuditFilter{After: first}, between(first, time.Time{})},
		{driver.AuditFilter{Before: last}, between(time.Time{}, last)},
		{driver.AuditFilter{Before: last.Add(time.Nanosecond)}, between(time.Time{}, last.Add(time.Nanosecond))},
		{driver.AuditFilter{After: first, Before: last}, between(first, last)},
		{driver.AuditFilter{After: first.Add(-long), Before: first.Add(long)}, "5 4 3 2 1 0"},
		{driver.AuditFilter{Before: first.Add(-long)}, ""},
		{driver.AuditFilter{Job: "0"}, ""},
	} {
		var got []string
		for _, e := range k.auditOf(tt.f) {
			got = append(got, e.Subjects...)
		}
		if strings.Join(got, " ") != tt.want {
			k.Errorf("%+v matches %v, expected %s", tt.f, got, tt.want)
		}
	}
}

func batchesNameTheirJob[Tx any](k *kit[Tx]) {
	letters, ok := k.Store.(driver.DeadLetterStore)
	_, logs := k.Store.(driver.AuditStore)
	if !ok || !logs {
		return
	}
	ids := k.kill("reason", events(lane, 4)...)
	other := k.addJob()
	j := k.claimJob(k.addJob().ID, driver.NewOwner("a"), long)
	ann := k.acting("ann", "")
	_, err := letters.ResolveDead(ann, driver.DeadIDs(ids[0])) // by hand
	k.must(err)
	step := driver.JobStep{ID: j.ID, Turn: j.Turn, Lease: long, State: driver.JobRunning}
	_, err = letters.ResolveDead(driver.WithStep(ann, step), driver.DeadIDs(ids[1], ids[2], "unknown"))
	k.must(err)
	step.Turn, step.State = step.Turn+1, driver.JobDone
	_, err = letters.DeleteDead(driver.WithStep(ann, step), driver.DeadIDs(ids[3]))
	k.must(err)
	told := k.job(j.ID)
	want := []driver.AuditEntry{ // the latest first
		{Action: driver.AuditJobEnd, Subjects: told.Told()},
		{Action: driver.AuditDelete, Subjects: ids[3:]},
		{Action: driver.AuditResolve, Subjects: ids[1:3]},
		{Action: driver.AuditJob, Subjects: j.Started()},
	}
	got := k.auditOf(driver.AuditFilter{Job: j.ID})
	same := func(e, w driver.AuditEntry) bool {
		return e.Job == j.ID && e.By == "ann" && e.Action == w.Action && slices.Equal(e.Subjects, w.Subjects)
	}
	if !slices.EqualFunc(got, want, same) {
		k.Errorf("the entries of the job are %+v, expected %+v", got, want)
	}
	if got := k.auditOf(driver.AuditFilter{Job: j.ID, Action: driver.AuditDelete}); len(got) != 1 || got[0].Rows() != 1 {
		k.Errorf("what the job deleted is %+v, expected one letter", got)
	}
	if got := k.auditOf(driver.AuditFilter{Job: j.ID[:len(j.ID)-1]}); len(got) != 0 {
		k.Errorf("a part of the id matches %+v", got)
	}
	if got := k.auditOf(driver.AuditFilter{Job: other.ID}); len(got) != 1 || got[0].Action != driver.AuditJob {
		k.Errorf("the entries of the other job are %+v, expected its start", got)
	}
	if byHand := k.auditOf(driver.AuditFilter{Action: driver.AuditResolve}); len(byHand) != 2 || byHand[1].Job != "" {
		k.Errorf("%+v, expected no job for what a person did at once", byHand)
	}
}

func jobsAreFiltered[Tx any](k *kit[Tx]) {
	add := func(action string, state driver.JobState) {
		k.add(driver.Job{ID: outbox.NewID(), Action: action, Spec: []byte(`{}`), Act: driver.Act{By: "ann", Note: action}, State: state})
	}
	add("retry", driver.JobRunning)
	add("erase", driver.JobWaiting)
	add("retry", driver.JobWaiting)
	add("erase", driver.JobRunning)
	add("retry", driver.JobRunning)
	for _, tt := range []struct {
		f    driver.JobFilter
		want string
	}{
		{driver.JobFilter{}, "retry running, erase running, retry waiting, erase waiting, retry running"},
		{driver.JobFilter{Action: "retry"}, "retry running, retry waiting, retry running"},
		{driver.JobFilter{State: driver.JobRunning}, "retry running, erase running, retry running"},
		{driver.JobFilter{State: driver.JobWaiting, Action: "erase"}, "erase waiting"},
		{driver.JobFilter{State: driver.JobDone}, ""},
	} {
		var got []string
		for before, page := "", 0; ; page++ {
			js, next, err := k.jobs().ListJobs(k.ctx, tt.f, before, 2)
			k.must(err)
			if len(js) > 2 || page > 5 {
				k.Fatalf("page %d of %+v has %d", page, tt.f, len(js))
			}
			for _, j := range js {
				got = append(got, j.Action+" "+string(j.State))
			}
			if before = next; next == "" {
				break
			}
		}
		if strings.Join(got, ", ") != tt.want {
			k.Errorf("%+v matches %v, expected %s", tt.f, got, tt.want)
		}
	}
}

func groupsAreFiltered[Tx any](k *kit[Tx]) {
	for _, g := range []struct{ lane, destination, reason string }{
		{"order", "nats#1:orders", "Busy"}, {"order", "kafka#0:orders", "busy 語%"}, {"Order", "kafka#0:orders", "lost"},
		{"order ", "", "busy"}, {"invoice", "kafka#0:orders ", "gone"},
	} {
		k.killAt(g.destination, g.lane, g.reason)
		k.grouped()
	}
	mark := func(reason string, m driver.GroupMark) {
		for _, g := range k.grouped() {
			if g.Reason == reason {
				_, err := k.groups().MarkGroup(k.ctx, g.ID, m)
				k.must(err)
			}
		}
	}
	mark("busy", driver.GroupMark{State: driver.GroupInvestigating, By: "ann "})
	mark("lost", driver.GroupMark{State: driver.GroupInvestigating, By: "ann"})
	mark("gone", driver.GroupMark{State: driver.GroupMuted, By: "Ann", MutedUntil: time.Now().Add(long)})
	mark("Busy", driver.GroupMark{State: driver.GroupMuted, By: "bob", MutedUntil: time.Now().Add(-long)}) // new again
	whole := k.grouped()
	first, last := whole[len(whole)-1].LastAt, whole[0].LastAt
	for _, tt := range []struct {
		f     driver.GroupFilter
		match func(g driver.DeadGroup) bool
	}{
		{driver.GroupFilter{}, func(driver.DeadGroup) bool { return true }},
		{driver.GroupFilter{Lane: "order"}, func(g driver.DeadGroup) bool { return g.Lane == "order" }},
		{driver.GroupFilter{Lane: "order "}, func(g driver.DeadGroup) bool { return g.Lane == "order " }},
		{driver.GroupFilter{Lane: "orde"}, nil},
		{driver.GroupFilter{Destination: "kafka#0:orders"}, func(g driver.DeadGroup) bool { return g.Destination == "kafka#0:orders" }},
		{driver.GroupFilter{Reason: "us"}, func(g driver.DeadGroup) bool { return strings.Contains(g.Reason, "us") }},
		{driver.GroupFilter{Reason: "busy"}, func(g driver.DeadGroup) bool { return strings.Contains(g.Reason, "busy") }},
		{driver.GroupFilter{Reason: "語%"}, func(g driver.DeadGroup) bool { return strings.Contains(g.Reason, "語%") }},
		{driver.GroupFilter{Reason: "%"}, func(g driver.DeadGroup) bool { return strings.Contains(g.Reason, "%") }},
		{driver.GroupFilter{Reason: "nothing like it"}, nil},
		{driver.GroupFilter{State: driver.GroupNew}, func(g driver.DeadGroup) bool { return g.State == driver.GroupNew }},
		{driver.GroupFilter{State: driver.GroupMuted}, func(g driver.DeadGroup) bool { return g.Reason == "gone" }},
		{driver.GroupFilter{State: driver.GroupInvestigating, By: "ann"}, func(g driver.DeadGroup) bool { return g.Reason == "lost" }},
		{driver.GroupFilter{By: "ann "}, func(g driver.DeadGroup) bool { return g.Reason == "busy" }},
		{driver.GroupFilter{By: "bob", Destination: "nats#1:orders", Lane: "order", Reason: "Busy"}, func(g driver.DeadGroup) bool { return g.Reason == "Busy" }},
		{driver.GroupFilter{By: "bob", Destination: "nats#1:order"}, nil},
		{driver.GroupFilter{LastAfter: first}, func(g driver.DeadGroup) bool { return g.LastAt.After(first) }},
		{driver.GroupFilter{LastBefore: last}, func(g driver.DeadGroup) bool { return g.LastAt.Before(last) }},
		{driver.GroupFilter{LastBefore: last.Add(time.Nanosecond)}, func(driver.DeadGroup) bool { return true }},
		{driver.GroupFilter{LastAfter: first.Add(-long), LastBefore: last.Add(long)}, func(driver.DeadGroup) bool { return true }},
		{driver.GroupFilter{LastBefore: first.Add(-long)}, nil},
		{driver.GroupFilter{LastAfter: last.Add(long)}, nil},
	} {
		var want []string
		for _, g := range whole {
			if tt.match != nil && tt.match(g) {
				want = append(want, g.ID)
			}
		}
		timed := !tt.f.LastAfter.IsZero() || !tt.f.LastBefore.IsZero() // all may have one time
		if got := groupIDs(k.groupsOf(tt.f)); !slices.Equal(got, want) || !timed && (len(want) > 0) != (tt.match != nil) {
			k.Errorf("%+v matches %v, expected %v of %+v", tt.f, got, want, whole)
		}
	}
}

func alertsAreFiltered[Tx any](k *kit[Tx]) {
	other := sighting("other")
	other.Rule = "Rule"
	k.see("over")
	k.unseen("over")
	k.must(k.alerts().SeeAlerts(k.ctx, []driver.Sighting{sighting("a"), sighting("b"), other}, long))
	k.mute(sighting("a").ID(), driver.AlertMute{MutedUntil: time.Now().Add(long).UTC().Truncate(time.Second), By: "ann"})
	for _, tt := range []struct {
		f    driver.AlertFilter
		want []string
	}{
		{driver.AlertFilter{}, []string{"a", "b", "other", "over"}},
		{driver.AlertFilter{State: driver.AlertOpen}, []string{"a", "b", "other"}},
		{driver.AlertFilter{State: driver.AlertResolved}, []string{"over"}},
		{driver.AlertFilter{State: driver.AlertMuted}, []string{"a"}},
		{driver.AlertFilter{Rule: "Rule"}, []string{"other"}},
		{driver.AlertFilter{Rule: "rule", State: driver.AlertOpen}, []string{"a", "b"}},
		{driver.AlertFilter{Rule: "no"}, nil},
	} {
		as, err := k.alerts().ListAlerts(k.ctx, tt.f, all)
		k.must(err)
		if got := subjects(as); !slices.Equal(got, tt.want) {
			k.Errorf("%+v matches %v, expected %v", tt.f, got, tt.want)
		}
	}
	if as, err := k.alerts().ListAlerts(k.ctx, driver.AlertFilter{State: driver.AlertOpen}, 2); err != nil || len(as) != 2 {
		k.Errorf("%d open ones, error %v, asked for 2 of 3", len(as), err)
	}
}
