package inboxtest

import (
	"errors"
	"strings"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

func refuseLaws[Tx any]() []Law[Tx] {
	return []Law[Tx]{
		{
			Name:  "a group or an id that breaks a limit is refused, and the transaction goes on",
			Why:   "a database that truncates it would take two events for one",
			Check: check(limits[Tx]),
		},
		{
			Name:  "without an open transaction nothing is noted",
			Why:   "the id would be committed without the effect, and the event lost",
			Check: check(noTransaction[Tx]),
		},
		{
			Name:    "without its table the ledger says what to do, and the transaction goes on",
			Why:     "a deployment that forgot to migrate must not break the application",
			Applies: func(s Subject[Tx]) bool { return s.NoSchema != nil },
			Check:   check(noSchema[Tx]),
		},
		{
			Name:    "a database that does not answer is reported as such",
			Why:     "a consumer must distinguish an outage from an event that cannot be consumed",
			Applies: func(s Subject[Tx]) bool { return s.Down != nil },
			Check:   check(down[Tx]),
		},
	}
}

func limits[Tx any](k *kit[Tx]) {
	k.inTx(k.Ledger, func(tx Tx) error {
		for _, bad := range []struct {
			group string
			ids   []string
		}{
			{"", []string{"a"}},
			{strings.Repeat("g", driver.MaxGroupLength+1), []string{"a"}},
			{"with space", []string{"a"}},
			{group, []string{"a", ""}},
			{group, []string{strings.Repeat("x", outbox.MaxIDLength+1)}},
			{group, []string{"a", "ä"}},
			{group, []string{"a "}},
			{group, []string{"a\x00"}},
		} {
			if _, err := k.Ledger.Record(k.ctx, tx, bad.group, bad.ids); !errors.Is(err, outbox.ErrInvalidID) {
				k.Errorf("group %q, ids %q: error %v, expected ErrInvalidID", bad.group, bad.ids, err)
			}
		}
		fresh, err := k.Ledger.Record(k.ctx, tx, group, []string{"a"})
		k.must(err)
		k.expect("after the refusals", fresh, true)
		return nil
	})
}

func noTransaction[Tx any](k *kit[Tx]) {
	var none Tx
	if _, err := k.Ledger.Record(k.ctx, none, group, []string{"a"}); !errors.Is(err, outbox.ErrNoTransaction) {
		k.Errorf("no transaction: error %v, expected ErrNoTransaction", err)
	}
	for name, end := range map[string]func(commit, rollback func() error) error{
		"committed":   func(commit, _ func() error) error { return commit() },
		"rolled back": func(_, rollback func() error) error { return rollback() },
	} {
		tx, commit, rollback, err := k.Ledger.Begin(k.ctx)
		k.must(err)
		_, err = k.Ledger.Record(k.ctx, tx, group, []string{"before"})
		k.must(err)
		k.must(end(commit, rollback))
		if _, err := k.Ledger.Record(k.ctx, tx, group, []string{"a"}); !errors.Is(err, outbox.ErrNoTransaction) {
			k.Errorf("a transaction that was %s: error %v, expected ErrNoTransaction", name, err)
		}
	}
	k.expectKnown(false, group, "a")
}

func noSchema[Tx any](k *kit[Tx]) {
	l := k.NoSchema(k)
	k.inTx(l, func(tx Tx) error {
		for range 2 {
			if _, err := l.Record(k.ctx, tx, group, []string{"a"}); !errors.Is(err, outbox.ErrSchema) {
				k.Errorf("record: error %v, expected ErrSchema", err)
			}
		}
		return nil // commits
	})
	if _, err := l.Known(k.ctx, group, []string{"a"}); !errors.Is(err, outbox.ErrSchema) {
		k.Errorf("known: error %v, expected ErrSchema", err)
	}
	if _, err := l.Forget(k.ctx, group, 0, 1); !errors.Is(err, outbox.ErrSchema) {
		k.Errorf("forget: error %v, expected ErrSchema", err)
	}
}

func down[Tx any](k *kit[Tx]) {
	l := k.Down(k)
	if _, _, _, err := l.Begin(k.ctx); !errors.Is(err, outbox.ErrStoreDown) {
		k.Errorf("begin: error %v, expected ErrStoreDown", err)
	}
	if _, err := l.Known(k.ctx, group, []string{"a"}); !errors.Is(err, outbox.ErrStoreDown) {
		k.Errorf("known: error %v, expected ErrStoreDown", err)
	}
	if _, err := l.Forget(k.ctx, group, 0, 1); !errors.Is(err, outbox.ErrStoreDown) {
		k.Errorf("forget: error %v, expected ErrStoreDown", err)
	}
}
