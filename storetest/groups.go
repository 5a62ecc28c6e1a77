package storetest

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

func groupLaws[Tx any]() []Law[Tx] {
	return []Law[Tx]{
		{
			Name:  "letters of one lane, destination and reason are one group",
			Why:   "ten thousand letters of one cause are one thing to mend",
			Check: check(lettersAreGrouped[Tx]),
		},
		{
			Name:  "groups are listed by their latest letter, in pages by key",
			Why:   "what breaks now must come first, and nothing twice while letters come",
			Check: check(groupsArePaged[Tx]),
		},
		{
			Name:  "groups are found by what they are, and by what was said of them",
			Why:   "with a hundred reasons, a person asks for those of one destination, or for their own",
			Check: check(groupsAreFiltered[Tx]),
		},
		{
			Name:  "a group is what somebody last said of it, in the audit log too",
			Why:   "two people on call must not work on the same failure unknowingly",
			Check: check(groupsAreMarked[Tx]),
		},
		{
			Name:  "a group goes past its age, and never while a letter is open",
			Why:   "texts that differ each time would fill the table for ever",
			Check: check(groupsAreSwept[Tx]),
		},
	}
}

// groups is the power that the laws of this file are about.
func (k *kit[Tx]) groups() driver.GroupStore { return k.Store.(driver.GroupStore) }

// killAt is kill at a destination.
func (k *kit[Tx]) killAt(destination, lane string, reasons ...string) (ids []string) {
	k.Helper()
	a := driver.NewOwner("killer")
	for _, reason := range reasons {
		e := event(lane)
		e.TenantID, e.AggregateType, e.AggregateID = "tenant of "+lane, "Order", "key "+reason
		ids = append(ids, k.write(e)...)
		for _, c := range k.claim(a, lane) {
			k.mustSettle(a, driver.Outcome{Held: c.Held, Kind: driver.Dead, Attempts: 1, Error: reason,
				Failures: foreignHistory(destination)})
		}
	}
	return ids
}

// foreignHistory is a list of failures as another program may write it.
func foreignHistory(destination string) json.RawMessage {
	if len(destination) > driver.MaxDestination {
		destination += "!" + destination
	}
	text, _ := json.Marshal([]driver.Failure{{Attempt: 1, Destination: destination}}) // strings and numbers
	return text
}

// grouped puts all letters into groups, and lists them.
func (k *kit[Tx]) grouped() []driver.DeadGroup {
	k.Helper()
	_, err := k.groups().GroupDead(k.ctx, all)
	k.must(err)
	gs, next, err := k.client(1).(driver.GroupStore).ListGroups(k.ctx, driver.GroupFilter{}, nil, all)
	if k.must(err); next != nil {
		k.Errorf("%d groups and a next page, asked for all", len(gs))
	}
	return gs
}

func lettersAreGrouped[Tx any](k *kit[Tx]) {
	names := map[string][]string{} // letters by group
	for _, part := range []struct {
		destination, lane, reason string
		texts                     []string
	}{
		{"kafka#0:orders", "order", `no customer "…"`, []string{`no customer "ann"`, `no customer "bob"`, "no customer \"語\"\nstack"}},
		{"kafka#0:orders", "order", "busy", []string{"busy"}},
		{"nats#1:orders", "order", "busy", []string{"busy"}},
		{"kafka#0:orders", "invoice", "busy", []string{"busy", "busy"}},
		{"", "invoice", "", []string{""}},
		{strings.Repeat("語", driver.MaxDestination), "other", "busy", []string{"busy"}}, // cut, below
	} {
		names[driver.GroupID(part.lane, part.destination, part.reason)] = k.killAt(part.destination, part.lane, part.texts...)
	}
	if l := k.letter(names[driver.GroupID("order", "kafka#0:orders", "busy")][0]); l.Group != "" || l.Destination != "" {
		k.Errorf("the letter is in group %q of %q before it is grouped", l.Group, l.Destination)
	}
	n, err := k.groups().GroupDead(k.ctx, 3)
	k.must(err)
	if n != 3 {
		k.Errorf("grouped %d letters, asked for 3 of 9", n)
	}
	gs := k.grouped()
	if len(gs) != len(names) {
		k.Errorf("%d groups, expected %d: %+v", len(gs), len(names), gs)
	}
	for _, g := range gs {
		ids := names[g.ID]
		if g.Open != (driver.Count{N: int64(len(ids))}) || g.ID != driver.GroupID(g.Lane, g.Destination, g.Reason) || g.State != driver.GroupNew {
			k.Errorf("%+v, expected %d new letters", g, len(ids))
		}
		if g.FirstAt.IsZero() || g.LastAt.Before(g.FirstAt) {
			k.Errorf("the first letter came %s, the last %s", g.FirstAt, g.LastAt)
		}
		for name, f := range map[string]driver.DeadFilter{
			"group":              {Group: g.ID},
			"group, lane, where": {Group: g.ID, Lane: g.Lane, Destination: g.Destination},
			"tenant and group":   {Group: g.ID, Tenant: "tenant of " + g.Lane},
		} {
			k.sameIDs(name, k.listed(f), ids)
		}
		for _, f := range []driver.DeadFilter{{Group: g.ID, Destination: "elsewhere"}, {Group: g.ID, Tenant: "other"}, {Group: g.ID, Key: "other"}} {
			k.sameIDs("nothing", k.listed(f), nil)
		}
		if l := k.letter(ids[0]); l.Group != g.ID || l.Destination != g.Destination {
			k.Errorf("the letter is in group %q of %q, expected %+v", l.Group, l.Destination, g)
		}
	}
	k.sameIDs("by key", k.listed(driver.DeadFilter{Key: "key busy", Destination: "nats#1:orders"}), names[driver.GroupID("order", "nats#1:orders", "busy")])
	if n, err := k.groups().GroupDead(k.ctx, all); n != 0 || err != nil {
		k.Errorf("grouped %d letters again, error %v", n, err)
	}
	id := gs[0].ID
	_, err = k.letters().ResolveDead(k.ctx, driver.DeadIDs(names[id]...))
	k.must(err)
	if again := k.grouped(); len(again) != len(gs)-1 || slices.ContainsFunc(again, func(g driver.DeadGroup) bool { return g.ID == id }) {
		k.Errorf("%+v, expected those with unresolved letters", again)
	}
	if g, found, err := k.groups().GetGroup(k.ctx, id); err != nil || !found || g.Open.N != 0 {
		k.Errorf("%+v, found %t, error %v: expected it without letters", g, found, err)
	}
	if _, found, err := k.groups().GetGroup(k.ctx, "unknown"); err != nil || found {
		k.Errorf("found %t, error %v", found, err)
	}
}

// listed returns the ids of the letters that a filter matches, and checks that
// as many are counted.
func (k *kit[Tx]) listed(f driver.DeadFilter) (ids []string) {
	k.Helper()
	ls, _, err := k.letters().ListDead(k.ctx, f, nil, all)
	k.must(err)
	for _, l := range ls {
		ids = append(ids, l.Event.ID)
	}
	n, err := k.letters().CountDead(k.ctx, f)
	k.must(err)
	if n != (driver.Count{N: int64(len(ids))}) {
		k.Errorf("counted %+v, listed %d", n, len(ids))
	}
	return ids
}

func groupsArePaged[Tx any](k *kit[Tx]) {
	reasons := []string{"a", "b", "c", "d", "e"}
	for _, r := range reasons {
		k.killAt("", lane, r)
		k.grouped()
	}
	k.killAt("", lane, "b") // again: comes first now
	whole := k.grouped()
	if len(whole) != len(reasons) || whole[0].Open.N+whole[1].Open.N < 2 {
		k.Fatalf("%+v, expected %d groups", whole, len(reasons))
	}
	k.eventually("the group with the latest letter comes first", func() bool { // within the resolution of the clock they are equal
		k.killAt("", lane, "b")
		whole = k.grouped()
		return whole[0].Reason == "b"
	})
	if paged, want := groupIDs(k.groupsOf(driver.GroupFilter{})), groupIDs(whole); !slices.Equal(paged, want) {
		k.Errorf("in pages %v, at once %v", paged, want)
	}
}

// groupsOf returns the groups that a filter matches, in pages of two.
func (k *kit[Tx]) groupsOf(f driver.GroupFilter) (found []driver.DeadGroup) {
	k.Helper()
	for after := (*driver.GroupCursor)(nil); ; {
		page, next, err := k.groups().ListGroups(k.ctx, f, after, 2)
		k.must(err)
		if found = append(found, page...); len(page) > 2 || len(found) > 100 {
			k.Fatalf("a page of %d, %d in all", len(page), len(found))
		}
		if after = next; next == nil {
			return found
		}
	}
}

func groupIDs(gs []driver.DeadGroup) (ids []string) {
	for _, g := range gs {
		ids = append(ids, g.ID)
	}
	return ids
}

func groupsAreMarked[Tx any](k *kit[Tx]) {
	k.killAt("", lane, "busy")
	id := k.grouped()[0].ID
	until := time.Now().Add(long).UTC().Truncate(time.Second)
	for _, m := range []driver.GroupMark{
		{State: driver.GroupInvestigating, By: "ann", Note: "is the \"bank\" down? 語"},
		{State: driver.GroupMuted, By: "bob", MutedUntil: until},
		{State: driver.GroupNew, By: "cyd"},
	} {
		found, err := k.groups().MarkGroup(k.ctx, id, m)
		k.must(err)
		g := k.grouped()[0]
		if !found || g.State != m.State || g.By != m.By || g.Note != m.Note || g.At.IsZero() || !g.MutedUntil.Equal(m.MutedUntil) {
			k.Errorf("marked %t as %+v, expected %+v", found, g.GroupMark, m)
		}
		if log, ok := k.Store.(driver.AuditStore); ok {
			es, _, err := log.ListAudit(k.ctx, driver.AuditFilter{}, 0, 1)
			k.must(err)
			if len(es) != 1 || es[0].Act != (driver.Act{By: m.By, Note: m.Note}) || es[0].Action != driver.AuditMark || !slices.Equal(es[0].Subjects, []string{id, string(m.State)}) {
				k.Errorf("the log says %+v, expected %+v", es, m)
			}
		}
	}
	k.killAt("", lane, "busy") // changes nothing of it
	if g := k.grouped()[0]; g.By != "cyd" || g.Open.N != 2 {
		k.Errorf("%+v, expected two letters and the mark of cyd", g)
	}
	found, err := k.groups().MarkGroup(k.ctx, id, driver.GroupMark{State: driver.GroupMuted, By: "ann", MutedUntil: until.Add(-2 * long)})
	k.must(err)
	if g := k.grouped()[0]; !found || g.State != driver.GroupNew {
		k.Errorf("muted until %s, it is %s", g.MutedUntil, g.State)
	}
	if found, err := k.groups().MarkGroup(k.ctx, "unknown", driver.GroupMark{State: driver.GroupNew, By: "ann"}); found || err != nil {
		k.Errorf("found %t, error %v", found, err)
	}
}

func groupsAreSwept[Tx any](k *kit[Tx]) {
	ids := k.killAt("", lane, "a", "b")
	kept := k.killAt("", lane, "c")
	k.grouped()
	_, err := k.letters().DeleteDead(k.ctx, driver.DeadIDs(ids...))
	k.must(err)
	n, err := k.groups().SweepGroups(k.ctx, long, all)
	k.must(err)
	if n != 0 {
		k.Errorf("swept %d, but none is an hour old", n)
	}
	k.eventually("the groups without letters are swept", func() bool { // there may be others
		n, err := k.groups().SweepGroups(k.ctx, 0, 1)
		k.must(err)
		if n > 1 {
			k.Fatalf("swept %d, asked for at most 1", n)
		}
		return n == 0 && !k.hasGroup("a") && !k.hasGroup("b")
	})
	if !k.hasGroup("c") || k.letter(kept[0]).Group != driver.GroupID(lane, "", "c") {
		k.Error("the group of an open letter is gone")
	}
}

func (k *kit[Tx]) hasGroup(reason string) bool {
	k.Helper()
	_, found, err := k.groups().GetGroup(k.ctx, driver.GroupID(lane, "", reason))
	k.must(err)
	return found
}
