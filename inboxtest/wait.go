package inboxtest

import (
	"context"
	"errors"
	"time"

	"github.com/sendoff-go/outbox"
)

func waitLaws[Tx any]() []Law[Tx] {
	two := func(s Subject[Tx]) bool { return !s.OneTransaction }
	return []Law[Tx]{
		{
			Name:    "an id in an open transaction is waited for: known if it commits, new if it rolls back",
			Why:     "two consumers at once would both run, or the event would be lost with the one that fails",
			Applies: two,
			Check:   check(openIsWaitedFor[Tx]),
		},
		{
			Name:    "waiting ends with the context",
			Why:     "a consumer that shuts down would hang behind another one",
			Applies: two,
			Check:   check(waitingEnds[Tx]),
		},
		{
			Name:    "a deadlock of two transactions is reported",
			Why:     "both would hang, and hold their connections, for ever",
			Applies: two,
			Check:   check(circle[Tx]),
		},
		{
			Name:    "known reports only what was committed",
			Why:     "the cache would be filled with what is rolled back later",
			Applies: two,
			Check:   check(openIsNotKnown[Tx]),
		},
	}
}

// answer is what a Record in another goroutine came to.
type answer struct {
	fresh []bool
	err   error
}

// recordAside notes ids in a transaction of the peer, which is rolled back in
// the end, and returns the answer.
func (k *kit[Tx]) recordAside(ctx context.Context, ids ...string) <-chan answer {
	k.Helper()
	tx, _, rollback, err := k.Peer.Begin(k.ctx)
	k.must(err)
	answers := make(chan answer, 1)
	go func() {
		fresh, err := k.Peer.Record(ctx, tx, group, ids)
		answers <- answer{fresh, errors.Join(err, rollback())}
	}()
	return answers
}

// mustWait expects no answer for a moment.
func (k *kit[Tx]) mustWait(answers <-chan answer) {
	k.Helper()
	select {
	case a := <-answers:
		k.Fatalf("answered %v, error %v, while the other transaction was open", a.fresh, a.err)
	case <-time.After(moment):
	}
	if k.Waiting == nil {
		return
	}
	k.eventually("the other transaction waits", func() bool {
		waits, err := k.Waiting(k.ctx)
		k.must(err)
		return waits
	})
}

func (k *kit[Tx]) await(answers <-chan answer) answer {
	k.Helper()
	select {
	case a := <-answers:
		return a
	case <-time.After(patience):
		k.Fatalf("no answer within %s", patience)
		return answer{}
	}
}

func openIsWaitedFor[Tx any](k *kit[Tx]) {
	for _, commits := range []bool{true, false} {
		id := "undone"
		if commits {
			id = "committed"
		}
		tx, commit, rollback, err := k.Ledger.Begin(k.ctx)
		k.must(err)
		fresh, err := k.Ledger.Record(k.ctx, tx, group, []string{id})
		k.must(err)
		k.expect("the first", fresh, true)
		answers := k.recordAside(k.ctx, id)
		k.mustWait(answers)
		if commits {
			k.must(commit())
		} else {
			k.must(rollback())
		}
		a := k.await(answers)
		if commits && k.Snapshot && errors.Is(a.err, outbox.ErrConflict) {
			continue // it cannot tell, and reports a conflict
		}
		k.must(a.err)
		k.expect("the second", a.fresh, !commits)
	}
}

func waitingEnds[Tx any](k *kit[Tx]) {
	k.inTx(k.Ledger, func(tx Tx) error {
		_, err := k.Ledger.Record(k.ctx, tx, group, []string{"a"})
		k.must(err)
		ctx, cancel := context.WithCancel(k.ctx)
		defer cancel()
		answers := k.recordAside(ctx, "a")
		k.mustWait(answers)
		cancel()
		if a := k.await(answers); a.err == nil {
			k.Errorf("answered %v without an error after its context had ended", a.fresh)
		}
		return nil
	})
	k.expectKnown(true, group, "a")
}

func circle[Tx any](k *kit[Tx]) {
	first, _, rollbackFirst, err := k.Ledger.Begin(k.ctx)
	k.must(err)
	second, _, rollbackSecond, err := k.Peer.Begin(k.ctx)
	k.must(err)
	_, err = k.Ledger.Record(k.ctx, first, group, []string{"a"})
	k.must(err)
	_, err = k.Peer.Record(k.ctx, second, group, []string{"b"})
	k.must(err)
	answers := make(chan error, 2)
	go func() {
		_, err := k.Ledger.Record(k.ctx, first, group, []string{"b"})
		answers <- errors.Join(err, rollbackFirst())
	}()
	go func() {
		_, err := k.Peer.Record(k.ctx, second, group, []string{"a"})
		answers <- errors.Join(err, rollbackSecond())
	}()
	told := 0
	for range 2 {
		select {
		case err := <-answers:
			if errors.Is(err, outbox.ErrConflict) {
				told++
			} else if err != nil {
				k.Errorf("error %v, expected ErrConflict", err)
			}
		case <-time.After(patience):
			k.Fatalf("they still wait after %s", patience)
		}
	}
	if told == 0 {
		k.Error("nobody was told")
	}
	k.expectKnown(false, group, "a", "b")
}

func openIsNotKnown[Tx any](k *kit[Tx]) {
	k.inTx(k.Ledger, func(tx Tx) error {
		_, err := k.Ledger.Record(k.ctx, tx, group, []string{"a"})
		k.must(err)
		k.expectKnown(false, group, "a")
		return nil
	})
	k.expectKnown(true, group, "a")
}
