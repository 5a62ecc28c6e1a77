package storetest

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sendoff-go/outbox/driver"
)

func notifyLaws[Tx any]() []Law[Tx] {
	return []Law[Tx]{
		{
			Name:  "a notification takes any number of lanes with any names",
			Why:   "writers send it after their commit, when nobody can handle an error",
			Check: check(notifyAny[Tx]),
		},
		{
			Name:    "a notification wakes listeners, for its lanes or for any",
			Why:     "an event would wait for the next poll",
			Applies: func(s Subject[Tx]) bool { return has(s, Waker) },
			Check:   check(notifyWakes[Tx]),
		},
	}
}

func notifyInLaws[Tx any]() []Law[Tx] {
	return []Law[Tx]{
		{
			Name:  "a notification inside a transaction does not disturb it",
			Why:   "the business change and its event must not depend on a hint",
			Check: check(notifyInDisturbsNothing[Tx]),
		},
		{
			Name:    "a notification in a transaction is heard only if it commits",
			Why:     "one that comes before the commit wakes relays that find nothing, and nothing wakes them later",
			Applies: func(s Subject[Tx]) bool { return has(s, Waker) && has(s, Notify) },
			Check:   check(notifyInFollowsTheCommit[Tx]),
		},
	}
}

func wakerLaws[Tx any]() []Law[Tx] {
	return []Law[Tx]{{
		Name:  "listening ends with its context, without error, and can restart",
		Why:   "a relay that stops waits for it, and one whose source was lost listens again",
		Check: check(wakerListens[Tx]),
	}}
}

// listening is a waker at work.
type listening[Tx any] struct {
	k     *kit[Tx]
	heard chan []string
	ended chan error
	stop  context.CancelFunc
}

// listen starts the subject's waker and waits until it listens.
func (k *kit[Tx]) listen() *listening[Tx] {
	k.Helper()
	ctx, cancel := context.WithCancel(k.ctx)
	l := &listening[Tx]{k: k, heard: make(chan []string, 100), ended: make(chan error, 1), stop: cancel}
	w := k.Waker(k)
	go func() { l.ended <- w.Listen(ctx, func(lanes []string) { l.heard <- lanes }) }()
	k.Cleanup(cancel)
	if first := l.next(); len(first) != 0 {
		k.Fatalf("the first wake-up is for %q, expected any lane: nobody heard what was sent before", first)
	}
	return l
}

func (l *listening[Tx]) next() (lanes []string) {
	l.k.Helper()
	l.k.soon(func(ctx context.Context) {
		select {
		case lanes = <-l.heard:
		case err := <-l.ended:
			l.k.Fatalf("listening ended: %v", err)
		case <-ctx.Done():
			l.k.Fatalf("no wake-up came")
		}
	})
	return lanes
}

// hears expects the next wake-up to be for those lanes, or for any.
func (l *listening[Tx]) hears(lanes ...string) {
	l.k.Helper()
	got := l.next()
	missing := slices.IndexFunc(lanes, func(name string) bool { return !slices.Contains(got, name) })
	if len(got) > 0 && missing >= 0 {
		l.k.Errorf("woken for %d lanes, %q and so on, but not for %q", len(got), got[0], lanes[missing])
	}
}

func (l *listening[Tx]) end() {
	l.k.Helper()
	l.stop()
	l.k.soon(func(ctx context.Context) {
		select {
		case err := <-l.ended:
			if err != nil {
				l.k.Errorf("listening ended with %v, expected no error: its context was over", err)
			}
		case <-ctx.Done():
			l.k.Fatalf("listening does not end with its context")
		}
	})
}

// laneLists are lanes to notify: none, odd ones, and more than fit anywhere.
func laneLists() [][]string {
	var many []string
	for i := range 200 {
		many = append(many, fmt.Sprint(i, strings.Repeat("語", 100)))
	}
	return [][]string{nil, {"a"}, {"a", "b c", `"quoted", '語' 🙂`}, many}
}

func notifyAny[Tx any](k *kit[Tx]) {
	for _, lanes := range laneLists() {
		k.must(k.Store.(driver.NotifyStore).Notify(k.ctx, lanes))
	}
}

func notifyWakes[Tx any](k *kit[Tx]) {
	l := k.listen()
	for _, lanes := range laneLists() {
		k.must(k.Store.(driver.NotifyStore).Notify(k.ctx, lanes))
		l.hears(lanes...)
	}
	l.end()
}

func (k *kit[Tx]) notifyIn(tx Tx, lanes ...string) error {
	return k.Store.(driver.TxNotifyStore[Tx]).NotifyIn(k.ctx, tx, lanes)
}

func notifyInDisturbsNothing[Tx any](k *kit[Tx]) {
	for _, lanes := range laneLists() {
		k.inTx(func(tx Tx) error {
			if err := k.notifyIn(tx, lanes...); err != nil {
				return err
			}
			_, err := k.w.Write(k.ctx, tx, event(lane))
			return err
		})
	}
	if cs := k.claim(driver.NewOwner("a"), lane); len(cs) != len(laneLists()) {
		k.Errorf("claimed %d events, want %d", len(cs), len(laneLists()))
	}
}

func notifyInFollowsTheCommit[Tx any](k *kit[Tx]) {
	l := k.listen()
	k.undone(func(_ context.Context, tx Tx) error { return k.notifyIn(tx, "never") })
	k.inTx(func(tx Tx) error { return k.notifyIn(tx, "a", "b") })
	k.must(k.Store.(driver.NotifyStore).Notify(k.ctx, []string{"last"})) // what comes before it was said before it
	l.hears("a", "b")
	l.hears("last")
	l.end()
}

func wakerListens[Tx any](k *kit[Tx]) {
	for range 2 {
		k.listen().end()
	}
}
