package storetest

import (
	"context"
	"fmt"
	"slices"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

func foreignMarkedLaws[Tx any]() []Law[Tx] {
	return foreign([]Law[Tx]{
		{
			Name:    "a marked letter whose id somebody is writing waits alone",
			Why:     "one transaction that stays open would keep all that people have marked, and nobody is told",
			Applies: func(s Subject[Tx]) bool { return !s.OneTransaction },
			Check:   check(markedBesideWriter[Tx]),
		},
		{
			Name:    "what is marked and another session has locked waits alone",
			Why:     "one row that somebody is looking at would keep all that people have marked, and nobody is told",
			Applies: func(s Subject[Tx]) bool { return s.LockKept != nil && s.LockRow != nil },
			Check:   check(markedBesideLocked[Tx]),
		},
	})
}

// markSQL marks a letter as people do with SQL.
func (k *kit[Tx]) markSQL(id, status string) {
	k.Helper()
	k.must(k.exec("UPDATE outbox_dlq_event SET status = '" + status + "' WHERE event_id = '" + id + "'"))
}

// markDead writes an event that is dead in place.
func (k *kit[Tx]) markDead(id string) {
	k.Helper()
	k.must(k.exec(`INSERT INTO outbox_event (event_id, event_type, payload, status, attempts) VALUES ('` + id + `', 'OrderPlaced', '1', 3, 10)`))
}

// moved sweeps as often as a store may need that finds out by chance what is in the
// way, and expects letters of those ids to be back in the outbox, resolved, or there.
func (k *kit[Tx]) moved(back, resolved, there []string) {
	k.Helper()
	var missing string
	var claimed []string
	for range answerTries {
		k.soon(func(ctx context.Context) {
			_, err := k.Store.Sweep(ctx, long, 100)
			k.must(err)
		})
		claimed = append(claimed, idsOf(k.claim(driver.NewOwner("a"), lane))...)
		missing = ""
		for _, id := range back {
			if !slices.Contains(claimed, id) {
				missing = "a retry of " + id
			}
		}
		for _, id := range resolved {
			if k.letter(id).ResolvedAt.IsZero() {
				missing = "a resolution of " + id
			}
		}
		for _, id := range there {
			if _, found, err := k.letters().GetDead(k.ctx, id); err != nil || !found {
				missing = "the letter of " + id
			}
		}
		if missing == "" {
			k.sameIDs("claimed", claimed, back)
			return
		}
	}
	k.Fatalf("%d sweeps did not bring %s", answerTries, missing)
}

func markedBesideWriter[Tx any](k *kit[Tx]) {
	var ids []string
	for n := range 6 {
		ids = append(ids, k.kill("refused", named(fmt.Sprintf("%d-dead", n)))...)
		// Events between them: InnoDB keeps a gap locked beside an id that was deleted
		// a moment ago, up to the next one.
		e := event("other")
		e.ID = fmt.Sprintf("%d-live", n)
		k.write(e)
	}
	for _, id := range ids[:4] {
		k.markSQL(id, "TO_RETRY")
	}
	for _, id := range ids[4:] {
		k.markSQL(id, "RESOLVED")
	}
	k.markDead("gone")
	tx, _, rollback, err := k.client(1).Begin(k.ctx)
	k.must(err)
	defer func() { _ = rollback() }() // it may be over
	_, err = outbox.NewWriter[Tx](k.client(1), nil).WriteAll(k.ctx, tx, named(ids[1]), named(ids[2]))
	k.must(err)
	k.moved([]string{ids[0], ids[3]}, ids[4:], []string{"gone"})
	for _, id := range ids[1:3] {
		if l := k.letter(id); !l.ResolvedAt.IsZero() {
			k.Errorf("%+v, expected it to be open", l)
		}
	}
	k.must(rollback())
	k.moved(ids[1:3], nil, nil)
}

func markedBesideLocked[Tx any](k *kit[Tx]) {
	ids := k.kill("refused", events(lane, 6)...)
	for _, id := range ids[:3] {
		k.markSQL(id, "TO_RETRY")
	}
	for _, id := range ids[3:] {
		k.markSQL(id, "RESOLVED")
	}
	k.markDead("gone")
	k.markDead("going")
	releases := []func(){k.LockKept(k, DeadLetters, ids[0]), k.LockKept(k, DeadLetters, ids[3]), k.LockRow(k, "going")}
	k.moved(ids[1:3], ids[4:], []string{"gone"})
	for _, release := range releases {
		release()
	}
	k.moved(ids[:1], ids[3:4], []string{"going"})
}
