package storetest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

func alertLaws[Tx any]() []Law[Tx] {
	return []Law[Tx]{
		{
			Name:  "an alert is raised once, and stays open while it is seen",
			Why:   "people must see since when something is wrong, and once",
			Check: check(alertsAreRaised[Tx]),
		},
		{
			Name:  "an alert that nobody sees is resolved, and can be raised again",
			Why:   "a list of what was wrong last week hides what is wrong now",
			Check: check(alertsAreResolved[Tx]),
		},
		{
			Name:  "of many that ask, one tells of an alert",
			Why:   "ten daemons must not send ten messages at night",
			Check: check(oneTells[Tx]),
		},
		{
			Name:  "an alert is due again when its teller fails, or after repeat",
			Why:   "a message that was lost must be sent by somebody",
			Check: check(alertsAreDueAgain[Tx]),
		},
		{
			Name:  "a muted alert is not told of, and the mute is audited",
			Why:   "a mute that nobody can be asked about hides an outage",
			Check: check(alertsAreMuted[Tx]),
		},
		{
			Name:  "a filter of alerts matches exactly what it names",
			Why:   "an alert that is left out is an outage that nobody sees",
			Check: check(alertsAreFiltered[Tx]),
		},
		{
			Name:  "resolved alerts go past their age, open and muted ones stay",
			Why:   "the table must have a bound, and a mute must last",
			Check: check(alertsAreSwept[Tx]),
		},
	}
}

// alerts is the power that the laws of this file are about.
func (k *kit[Tx]) alerts() driver.AlertStore { return k.Store.(driver.AlertStore) }

func sighting(subject string) driver.Sighting {
	return driver.Sighting{Rule: "rule", Subject: subject, Severity: driver.SeverityWarning, Text: "text of " + subject}
}

// see records sightings, and resolves nothing.
func (k *kit[Tx]) see(subjects ...string) {
	k.Helper()
	var all []driver.Sighting
	for _, s := range subjects {
		all = append(all, sighting(s))
	}
	k.must(k.alerts().SeeAlerts(k.ctx, all, long))
}

// unseen resolves all alerts, and waits until that of the subject is.
func (k *kit[Tx]) unseen(subject string) {
	k.Helper()
	k.eventually("the alert is resolved", func() bool {
		k.must(k.alerts().SeeAlerts(k.ctx, nil, 0))
		return !k.alert(subject).Open()
	})
}

// due claims what people are to be told of, for an hour.
func (k *kit[Tx]) due() []driver.Alert {
	k.Helper()
	as, err := k.alerts().DueAlerts(k.ctx, long, all)
	k.must(err)
	return as
}

// alert is that of a subject, read by another client.
func (k *kit[Tx]) alert(subject string) driver.Alert {
	k.Helper()
	as, err := k.client(1).(driver.AlertStore).ListAlerts(k.ctx, driver.AlertFilter{}, all)
	k.must(err)
	for _, a := range as {
		if a.Subject == subject {
			return a
		}
	}
	k.Fatalf("there is no alert of %q", subject)
	return driver.Alert{}
}

func subjects(as []driver.Alert) (all []string) {
	for _, a := range as {
		all = append(all, a.Subject)
	}
	slices.Sort(all)
	return all
}

func alertsAreRaised[Tx any](k *kit[Tx]) {
	odd := driver.Sighting{Rule: "oldest-waiting", Subject: "Örder \"語\"", Severity: driver.SeverityCritical, Text: "it's \\ 100% {late}\nand \"so\" 語"}
	k.must(k.alerts().SeeAlerts(k.ctx, []driver.Sighting{odd, odd}, long))
	first := k.alert(odd.Subject)
	if first.Sighting != odd || first.ID != odd.ID() || !first.Open() || first.RaisedAt.IsZero() || first.SeenAt.Before(first.RaisedAt) || !first.NotifiedAt.IsZero() || first.Notices != 0 {
		k.Errorf("%+v, expected a new one of %+v", first, odd)
	}
	odd.Text, odd.Severity = "later", driver.SeverityWarning
	k.eventually("it is seen later", func() bool {
		k.must(k.alerts().SeeAlerts(k.ctx, []driver.Sighting{odd}, long))
		return k.alert(odd.Subject).SeenAt.After(first.SeenAt)
	})
	if again := k.alert(odd.Subject); again.Sighting != odd || !again.RaisedAt.Equal(first.RaisedAt) || !again.Open() {
		k.Errorf("%+v, expected %+v as of %s", again, odd, first.RaisedAt)
	}
	k.eventually("the one that was raised last is listed first", func() bool {
		k.see("next")
		as, err := k.alerts().ListAlerts(k.ctx, driver.AlertFilter{}, 1)
		k.must(err)
		if len(as) != 1 {
			k.Fatalf("listed %d, asked for 1 of 2", len(as))
		}
		if as[0].Subject != "next" { // within the resolution of the clock they are equal
			k.unseen("next")
		}
		return as[0].Subject == "next"
	})
}

func alertsAreResolved[Tx any](k *kit[Tx]) {
	k.see("told", "secret")
	told := slices.DeleteFunc(k.due(), func(a driver.Alert) bool { return a.Subject != "told" })
	if len(told) != 1 {
		k.Fatalf("%+v are due", told)
	}
	k.must(k.alerts().ToldAlerts(k.ctx, told, long))
	k.see("told", "secret")
	if a := k.alert("told"); !a.Open() {
		k.Error("resolved although it was just seen")
	}
	k.see("quiet") // nobody begins to tell of this one
	k.unseen("told")
	k.see("open")
	as, err := k.alerts().ListAlerts(k.ctx, driver.AlertFilter{}, all)
	k.must(err)
	if len(as) != 4 || as[0].Subject != "open" {
		k.Errorf("%v, expected the open one first", as)
	}
	due := k.due()
	if got := subjects(due); !slices.Equal(got, []string{"open", "secret", "told"}) {
		k.Errorf("%v are due, expected the open one and those whose telling was begun", got)
	}
	k.must(k.alerts().ToldAlerts(k.ctx, due, 0))
	k.eventually("the open one is due again", func() bool { return slices.Contains(subjects(k.due()), "open") })
	if got := subjects(k.due()); len(got) != 0 {
		k.Errorf("%v are due, but people know that they are resolved", got)
	}
	k.see("told")
	if a := k.alert("told"); !a.Open() || a.Notices != 0 || !a.NotifiedAt.IsZero() {
		k.Errorf("%+v, expected it to be raised anew", a)
	}
	if got := subjects(k.due()); !slices.Equal(got, []string{"told"}) {
		k.Errorf("%v are due, expected the one that was raised again", got)
	}
}

func oneTells[Tx any](k *kit[Tx]) {
	var want []string
	for i := range 5 {
		want = append(want, fmt.Sprint(i))
	}
	k.see(want...)
	var mu sync.Mutex
	var got []driver.Alert
	k.eventually("all are told of", func() bool { // who comes second may skip what the first has locked
		k.run(4, func(_ int, s Store[Tx]) {
			as, err := s.(driver.AlertStore).DueAlerts(k.ctx, long, all)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				k.Error(err)
			}
			got = append(got, as...)
		}).Wait()
		return len(got) >= len(want)
	})
	if !slices.Equal(subjects(got), want) {
		k.Errorf("%v were told of, expected each once: %v", subjects(got), want)
	}
}

func alertsAreDueAgain[Tx any](k *kit[Tx]) {
	k.see("a", "b")
	one, err := k.alerts().DueAlerts(k.ctx, 0, 1) // and crashes
	k.must(err)
	if len(one) != 1 || one[0].Notices != 0 {
		k.Fatalf("%+v are due, asked for 1 of 2", one)
	}
	var due []driver.Alert
	k.eventually("both are due", func() bool { due = append(due, k.due()...); return len(due) >= 2 })
	if !slices.Equal(subjects(due), []string{"a", "b"}) || len(k.due()) != 0 {
		k.Errorf("%v are due, expected each once", subjects(due))
	}
	k.must(k.alerts().ToldAlerts(k.ctx, one, long)) // comes back, too late
	if a := k.alert(one[0].Subject); a.Notices != 0 {
		k.Errorf("%+v, but another has claimed it since", a)
	}
	k.must(k.alerts().ToldAlerts(k.ctx, due, long))
	if len(k.due()) != 0 {
		k.Error("due again before repeat")
	}
	for _, s := range []string{"a", "b"} {
		if a := k.alert(s); a.Notices != 1 || a.NotifiedAt.IsZero() {
			k.Errorf("%+v, expected one notice", a)
		}
	}
	k.see("c")
	third := k.due()
	k.unseen("c")
	k.must(k.alerts().ToldAlerts(k.ctx, third, long)) // tells that it was raised
	if got := subjects(k.due()); !slices.Contains(got, "c") {
		k.Errorf("%v are due, expected c, which was resolved meanwhile", got)
	}
}

func alertsAreMuted[Tx any](k *kit[Tx]) {
	k.see("a", "b")
	id := sighting("a").ID()
	until := time.Now().Add(long).UTC().Truncate(time.Second)
	for range 2 { // also if it is so already
		k.mute(id, driver.AlertMute{MutedUntil: until, By: "ann", Note: "is being \"mended\" 語"})
	}
	if got := subjects(k.due()); !slices.Equal(got, []string{"b"}) {
		k.Errorf("%v are due, expected the one that is not muted", got)
	}
	k.unseen("a")
	k.see("a")
	if a := k.alert("a"); !a.MutedUntil.Equal(until) || slices.Contains(subjects(k.due()), "a") {
		k.Errorf("%+v, expected it muted as before", a)
	}
	k.mute(id, driver.AlertMute{MutedUntil: until.Add(-2 * long), By: "bob"})
	if got := subjects(k.due()); !slices.Equal(got, []string{"a"}) {
		k.Errorf("%v are due, expected the one whose mute is over", got)
	}
	k.mute(id, driver.AlertMute{By: "cyd"})
	if found, err := k.alerts().MuteAlert(k.ctx, "unknown", driver.AlertMute{By: "ann"}); found || err != nil {
		k.Errorf("found %t, error %v", found, err)
	}
}

// mute mutes or unmutes the alert of subject a, and checks the entry.
func (k *kit[Tx]) mute(id string, m driver.AlertMute) {
	k.Helper()
	found, err := k.alerts().MuteAlert(k.ctx, id, m)
	k.must(err)
	a := k.alert("a")
	if !found || !a.MutedUntil.Equal(m.MutedUntil) || a.By != m.By || a.Note != m.Note || a.MarkedAt.IsZero() {
		k.Errorf("found %t, %+v, expected %+v", found, a, m)
	}
	action := driver.AuditMute
	if m.MutedUntil.IsZero() {
		action = driver.AuditUnmute
	}
	if log, ok := k.Store.(driver.AuditStore); ok {
		es, _, err := log.ListAudit(k.ctx, driver.AuditFilter{}, 0, 1)
		k.must(err)
		if len(es) != 1 || es[0].Act != (driver.Act{By: m.By, Note: m.Note}) || es[0].Action != action || !slices.Equal(es[0].Subjects, []string{id}) {
			k.Errorf("the log says %+v, expected %+v", es, m)
		}
	}
}

func alertsAreSwept[Tx any](k *kit[Tx]) {
	k.see("a", "old", "older")
	k.mute(sighting("a").ID(), driver.AlertMute{MutedUntil: time.Now().Add(long).UTC().Truncate(time.Second), By: "ann"})
	k.unseen("old")
	k.see("open")
	n, err := k.alerts().SweepAlerts(k.ctx, long, all)
	k.must(err)
	if n != 0 {
		k.Errorf("swept %d, but none is an hour old", n)
	}
	left := func() string {
		as, err := k.alerts().ListAlerts(k.ctx, driver.AlertFilter{}, all)
		k.must(err)
		return strings.Join(subjects(as), " ")
	}
	k.eventually("the resolved ones are swept", func() bool {
		n, err := k.alerts().SweepAlerts(k.ctx, 0, 1)
		k.must(err)
		if n > 1 {
			k.Fatalf("swept %d, asked for at most 1", n)
		}
		return n == 0 && !strings.Contains(left(), "old")
	})
	if got := left(); got != "a open" {
		k.Errorf("%s are left, expected the muted and the open one", got)
	}
}

// alertCalls are the methods of [driver.AlertStore].
func alertCalls[Tx any]() []call[Tx] {
	alerts := func(f func(ctx context.Context, s driver.AlertStore) error) func(context.Context, Store[Tx]) error {
		return func(ctx context.Context, s Store[Tx]) error { return f(ctx, s.(driver.AlertStore)) }
	}
	return []call[Tx]{
		{"SeeAlerts", alerts(func(ctx context.Context, s driver.AlertStore) error {
			return s.SeeAlerts(ctx, []driver.Sighting{sighting("x")}, long)
		})},
		{"DueAlerts", alerts(func(ctx context.Context, s driver.AlertStore) error {
			_, err := s.DueAlerts(ctx, long, 10)
			return err
		})},
		{"ToldAlerts", alerts(func(ctx context.Context, s driver.AlertStore) error {
			return s.ToldAlerts(ctx, []driver.Alert{{ID: "x"}}, long)
		})},
		{"ListAlerts", alerts(func(ctx context.Context, s driver.AlertStore) error {
			_, err := s.ListAlerts(ctx, driver.AlertFilter{}, 10)
			return err
		})},
		{"MuteAlert", alerts(func(ctx context.Context, s driver.AlertStore) error {
			_, err := s.MuteAlert(ctx, "x", driver.AlertMute{By: "ann"})
			return err
		})},
		{"SweepAlerts", alerts(func(ctx context.Context, s driver.AlertStore) error {
			_, err := s.SweepAlerts(ctx, long, 10)
			return err
		})},
	}
}
