package storetest

import (
	"context"
	"slices"

	"github.com/sendoff-go/outbox/driver"
)

func auditLaws[Tx any]() []Law[Tx] {
	return []Law[Tx]{
		{
			Name:  "what a person changes has an entry in the audit log",
			Why:   "afterwards somebody asks who did it, to which events and why",
			Check: check(changesAreAudited[Tx]),
		},
		{
			Name:  "a call that changes nothing, or is nobody's, has no entry",
			Why:   "an entry about nothing accuses the wrong person",
			Check: check(nothingIsNotAudited[Tx]),
		},
		{
			Name:  "the audit log is listed in pages, and swept past its age",
			Why:   "it must neither grow without bound nor lose what is recent",
			Check: check(auditPages[Tx]),
		},
		{
			Name:  "a filter of the audit log matches exactly what it names",
			Why:   "an entry that is left out hides who did it",
			Check: check(auditIsFiltered[Tx]),
		},
	}
}

// audit is the power that the laws of this file are about.
func (k *kit[Tx]) audits() driver.AuditStore { return k.Store.(driver.AuditStore) }

func (k *kit[Tx]) entries() []driver.AuditEntry {
	k.Helper()
	es, _, err := k.client(1).(driver.AuditStore).ListAudit(k.ctx, driver.AuditFilter{}, 0, all)
	k.must(err)
	return es
}

// acting is a context of a person.
func (k *kit[Tx]) acting(by, note string) context.Context {
	return driver.WithAct(k.ctx, driver.Act{By: by, Note: note})
}

func changesAreAudited[Tx any](k *kit[Tx]) {
	var want []driver.AuditEntry // the earliest first
	note := func(by, text string, action driver.AuditAction, subjects ...string) {
		want = append(want, driver.AuditEntry{Act: driver.Act{By: by, Note: text}, Action: action, Subjects: subjects})
	}
	if letters, ok := k.Store.(driver.DeadLetterStore); ok {
		ids := k.kill("no", events(lane, 5)...)
		_, err := letters.ReplayDead(k.acting("ann", "mended \"it\" 語"), driver.DeadIDs(ids[1], ids[0], "unknown", ids[1]))
		k.must(err)
		note("ann", "mended \"it\" 語", driver.AuditRetry, ids[1], ids[0])
		_, err = letters.ResolveDead(k.acting("bob", ""), driver.DeadIDs(ids[2:3]...))
		k.must(err)
		note("bob", "", driver.AuditResolve, ids[2])
		_, err = letters.DeleteDead(k.acting("ann", ""), driver.DeadIDs(ids[2:]...))
		k.must(err)
		note("ann", "", driver.AuditDelete, ids[2:]...)
	}
	if control, ok := k.Store.(driver.ControlStore); ok {
		k.must(control.SetPaused(k.acting("cyd", "too fast"), driver.PausableLane(lane), true, "cyd"))
		note("cyd", "too fast", driver.AuditPause, lane)
		k.must(control.SetPaused(k.ctx, driver.PausableLane("*"), false, "dan"))
		note("dan", "", driver.AuditResume, "*")
		k.must(control.SetPaused(k.acting("cyd", "slow"), driver.PausableDestination("x"), true, "cyd"))
		note("cyd", "slow", driver.AuditPauseDestination, "x")
		k.must(control.SetPaused(k.ctx, driver.PausableDestination("x"), false, "dan"))
		note("dan", "", driver.AuditResumeDestination, "x")
	}
	got := k.entries()
	if len(got) != len(want) {
		k.Fatalf("%d entries, expected %d: %+v", len(got), len(want), got)
	}
	slices.Reverse(want)
	for i, e := range got {
		w := want[i]
		if e.Act != w.Act || e.Action != w.Action || !slices.Equal(e.Subjects, w.Subjects) {
			k.Errorf("entry %d is %+v, expected %+v", i, e, w)
		}
		if i > 0 && (e.ID >= got[i-1].ID || e.At.After(got[i-1].At)) {
			k.Errorf("entry %d of %s comes after %d of %s", e.ID, e.At, got[i-1].ID, got[i-1].At)
		}
	}
}

func nothingIsNotAudited[Tx any](k *kit[Tx]) {
	letters, ok := k.Store.(driver.DeadLetterStore)
	if !ok {
		return
	}
	ids := k.kill("no", events(lane, 3)...)
	_, err := letters.DeleteDead(k.ctx, driver.DeadIDs(ids[:1]...)) // a program's own
	k.must(err)
	_, err = letters.ReplayDead(k.acting("", "nobody"), driver.DeadIDs(ids[1:2]...))
	k.must(err)
	_, err = letters.ResolveDead(k.acting("ann", ""), driver.DeadIDs("unknown"))
	k.must(err)
	k.kill("no", named("twice"))
	k.write(named("twice"))
	_, err = letters.ReplayDead(k.acting("ann", ""), driver.DeadIDs("twice")) // conflict
	k.must(err)
	if es := k.entries(); len(es) != 0 {
		k.Errorf("%+v, expected none", es)
	}
}

func auditPages[Tx any](k *kit[Tx]) {
	control, ok := k.Store.(driver.ControlStore)
	if !ok {
		return
	}
	for range 5 {
		k.must(control.SetPaused(k.ctx, driver.PausableLane(lane), true, "ann"))
	}
	whole := k.entries()
	if len(whole) != 5 {
		k.Fatalf("%d entries, expected 5", len(whole))
	}
	var paged []driver.AuditEntry
	for before := int64(0); ; before = paged[len(paged)-1].ID {
		page, _, err := k.audits().ListAudit(k.ctx, driver.AuditFilter{}, before, 2)
		k.must(err)
		if len(page) == 0 {
			break
		}
		if paged = append(paged, page...); len(page) > 2 || len(paged) > 5 {
			k.Fatalf("a page of %d, %d in all", len(page), len(paged))
		}
	}
	if !slices.EqualFunc(paged, whole, func(a, b driver.AuditEntry) bool { return a.ID == b.ID }) {
		k.Errorf("in pages %+v, at once %+v", paged, whole)
	}
	n, err := k.audits().SweepAudit(k.ctx, long, all)
	k.must(err)
	if n != 0 {
		k.Errorf("swept %d, but none is an hour old", n)
	}
	k.eventually("the earliest three are swept", func() bool {
		_, err := k.audits().SweepAudit(k.ctx, 0, len(k.entries())-2)
		k.must(err)
		return len(k.entries()) <= 2
	})
	if left := k.entries(); len(left) != 2 || left[0].ID != whole[0].ID {
		k.Errorf("%+v are left, expected the latest two of %+v", left, whole)
	}
}
