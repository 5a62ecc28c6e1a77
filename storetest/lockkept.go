package storetest

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sendoff-go/outbox/driver"
)

// kept is what a store keeps for a while: its sweep comes once an hour.
type kept[Tx any] struct {
	noun string
	// old adds one that may be swept, after those that were added before. Young
	// adds one that may not.
	old, young func(k *kit[Tx], n int) (id string)
	// sweep sweeps what is old, at most limit.
	sweep func(ctx context.Context, k *kit[Tx], limit int) (int, error)
	there func(k *kit[Tx], id string) bool
}

// law is the one about what is kept. A sweep with a small batch goes on while
// batches are full, as a relay does.
func (kind kept[Tx]) law(p Power) Law[Tx] {
	return Law[Tx]{
		Name:    "a sweep of " + kind.noun + " deletes what stands behind those that another session has locked",
		Why:     "one that somebody is looking at would keep all of them, and the table grows",
		Applies: func(s Subject[Tx]) bool { return s.LockKept != nil },
		Check:   check(func(k *kit[Tx]) { kind.sweepsBehindLocked(k, p) }),
	}
}

// sweepsBehindLocked sweeps where the oldest batch is locked, and one that may not be
// swept. A store without SKIP LOCKED finds out by chance what is locked.
func (kind kept[Tx]) sweepsBehindLocked(k *kit[Tx], p Power) {
	const free, locked, batch = 4, 2, 2
	_, err := kind.sweep(k.ctx, k, all) // what is left of other laws would be counted
	k.must(err)
	for try := 1; ; try++ {
		var ids []string
		for i := range locked + free {
			ids = append(ids, kind.old(k, (locked+free+1)*try+i))
			k.pass(2 * k.ClockResolution) // or they are of one age
		}
		young := kind.young(k, (locked+free+1)*try+locked+free)
		var releases []func()
		for _, id := range append([]string{young}, ids[:locked]...) {
			releases = append(releases, k.LockKept(k, p, id))
		}
		swept := 0
		for n := batch; n == batch; swept += n {
			k.soon(func(ctx context.Context) {
				var err error
				n, err = kind.sweep(ctx, k, batch)
				k.must(err)
			})
		}
		for _, release := range releases {
			release()
		}
		left := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return !kind.there(k, id) })
		if !slices.Equal(left[:min(len(left), locked)], ids[:locked]) || len(left) != len(ids)-swept {
			k.Fatalf("of %q %q are left after %d were swept; the first %d were locked", ids, left, swept, locked)
		}
		k.eventually("the rest is swept", func() bool {
			_, err := kind.sweep(k.ctx, k, all)
			k.must(err)
			return !slices.ContainsFunc(ids, func(id string) bool { return kind.there(k, id) })
		})
		if !kind.there(k, young) {
			k.Fatalf("%s is gone, which was not to be swept", young)
		}
		switch {
		case swept == free:
			return
		case try == answerTries:
			k.Fatalf("swept %d behind those that are locked, expected all %d, %d times", swept, free, try)
		}
	}
}

func keptLetters[Tx any]() kept[Tx] {
	letter := func(k *kit[Tx], _ int) string { return k.kill("no", event(lane))[0] }
	return kept[Tx]{
		noun: "dead letters",
		old: func(k *kit[Tx], n int) string {
			id := letter(k, n)
			_, err := k.letters().ResolveDead(k.ctx, driver.DeadIDs(id))
			k.must(err)
			return id
		},
		young: letter,
		sweep: func(ctx context.Context, k *kit[Tx], limit int) (int, error) {
			return k.letters().SweepDead(ctx, 0, limit)
		},
		there: func(k *kit[Tx], id string) bool {
			_, found, err := k.letters().GetDead(k.ctx, id)
			k.must(err)
			return found
		},
	}
}

func keptGroups[Tx any]() kept[Tx] {
	group := func(k *kit[Tx], n int) (group, letter string) {
		letter = k.killAt("", lane, strings.Repeat("no", n))[0] // a number would make no other group
		k.grouped()
		return k.letter(letter).Group, letter
	}
	return kept[Tx]{
		noun: "groups",
		old: func(k *kit[Tx], n int) string {
			id, letter := group(k, n)
			_, err := k.letters().DeleteDead(k.ctx, driver.DeadIDs(letter))
			k.must(err)
			return id
		},
		young: func(k *kit[Tx], n int) string {
			id, _ := group(k, n)
			return id
		},
		sweep: func(ctx context.Context, k *kit[Tx], limit int) (int, error) {
			return k.groups().SweepGroups(ctx, 0, limit)
		},
		there: func(k *kit[Tx], id string) bool {
			_, found, err := k.groups().GetGroup(k.ctx, id)
			k.must(err)
			return found
		},
	}
}

func keptAlerts[Tx any]() kept[Tx] {
	return kept[Tx]{
		noun: "alerts",
		old: func(k *kit[Tx], n int) string {
			subject := fmt.Sprint("subject ", n)
			k.see(subject)
			k.unseen(subject)
			return sighting(subject).ID()
		},
		young: func(k *kit[Tx], _ int) string { // the same one each time: what is old resolved it
			k.see("young")
			return sighting("young").ID()
		},
		sweep: func(ctx context.Context, k *kit[Tx], limit int) (int, error) {
			return k.alerts().SweepAlerts(ctx, 0, limit)
		},
		there: func(k *kit[Tx], id string) bool {
			as, err := k.alerts().ListAlerts(k.ctx, driver.AlertFilter{}, all)
			k.must(err)
			return slices.ContainsFunc(as, func(a driver.Alert) bool { return a.ID == id })
		},
	}
}

func keptJobs[Tx any]() kept[Tx] {
	return kept[Tx]{
		noun: "jobs",
		old: func(k *kit[Tx], _ int) string {
			id := k.addJob().ID
			_, _, err := k.jobs().DecideJob(k.ctx, id, driver.JobCancel, driver.Act{By: "bob"})
			k.must(err)
			return id
		},
		young: func(k *kit[Tx], _ int) string { return k.addJob().ID },
		sweep: func(ctx context.Context, k *kit[Tx], limit int) (int, error) {
			_, n, err := k.jobs().SweepJobs(ctx, driver.JobSweep{Waiting: long, Limit: limit})
			return n, err
		},
		there: func(k *kit[Tx], id string) bool {
			_, found, err := k.jobs().GetJob(k.ctx, id)
			k.must(err)
			return found
		},
	}
}
