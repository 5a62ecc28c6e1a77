package inboxtest

import (
	"fmt"
	"strings"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

func recordLaws[Tx any]() []Law[Tx] {
	return []Law[Tx]{
		{
			Name:  "an id is new once, for every client",
			Why:   "an event that is delivered twice would have its effect twice",
			Check: check(newOnce[Tx]),
		},
		{
			Name:  "an id whose transaction rolled back is new again",
			Why:   "a handler that fails would lose the event",
			Check: check(rollbackForgets[Tx]),
		},
		{
			Name:  "groups do not see each other",
			Why:   "two services on one database would take events from each other",
			Check: check(groupsApart[Tx]),
		},
		{
			Name:  "groups and ids are compared byte for byte",
			Why:   "an event whose id differs only in case would be skipped as a duplicate",
			Check: check(byteForByte[Tx]),
		},
		{
			Name:  "each id of a batch is answered for, in the caller's order",
			Why:   "a new event would be skipped and an old one run in its place",
			Check: check(batchInOrder[Tx]),
		},
		{
			Name:  "an id noted twice in one transaction is known the second time",
			Why:   "a transaction that takes two deliveries of an event would have its effect twice",
			Check: check(twiceInOne[Tx]),
		},
		{
			Name:    "an id that a savepoint rolled back is new again",
			Why:     "the effect was rolled back with it, so the event would be lost",
			Applies: func(s Subject[Tx]) bool { return s.Savepoint != nil && s.RollbackTo != nil },
			Check:   check(savepointForgets[Tx]),
		},
	}
}

func newOnce[Tx any](k *kit[Tx]) {
	k.expectKnown(false, group, "a", "b")
	k.expect("first", k.record(k.Ledger, group, "a"), true)
	k.expectKnown(true, group, "a")
	for range 2 {
		k.expect("the same client", k.record(k.Ledger, group, "a"), false)
		k.expect("another client", k.record(k.Peer, group, "a"), false)
	}
	k.expectKnown(false, group, "b")
}

func rollbackForgets[Tx any](k *kit[Tx]) {
	for range 2 {
		k.inTx(k.Ledger, func(tx Tx) error {
			fresh, err := k.Ledger.Record(k.ctx, tx, group, []string{"a", "b"})
			k.must(err)
			k.expect("before the rollback", fresh, true, true)
			return errUndo
		})
	}
	k.expectKnown(false, group, "a", "b")
	k.expect("after the rollback", k.record(k.Peer, group, "a", "b"), true, true)
}

func groupsApart[Tx any](k *kit[Tx]) {
	for _, g := range []string{"billing", "shipping", "a:b"} {
		k.expect("group "+g, k.record(k.Ledger, g, "x"), true)
		k.expect("group "+g, k.record(k.Peer, g, "x"), false)
	}
	k.expectKnown(false, "a", "b:x", "x")
}

func byteForByte[Tx any](k *kit[Tx]) {
	ids := []string{"order", "Order", "ORDER", `'"\%_{}[],`, `\\x00`, "NULL", "~", "!", "0", "00"}
	want := make([]bool, len(ids))
	for i := range want {
		want[i] = true
	}
	k.expect("ids", k.record(k.Ledger, group, ids...), want...)
	for _, id := range ids {
		k.expect(id, k.record(k.Ledger, group, id), false)
	}
	for _, g := range []string{"Billing", "BILLING", `bill'"\%`} {
		k.expect("group "+g, k.record(k.Ledger, g, "order"), true)
	}
	longest := strings.Repeat("x", outbox.MaxIDLength-1)
	k.expect("long ids", k.record(k.Ledger, strings.Repeat("g", driver.MaxGroupLength), longest+"a", longest+"b"), true, true)
	k.expectKnown(true, strings.Repeat("g", driver.MaxGroupLength), longest+"a", longest+"b")
}

func batchInOrder[Tx any](k *kit[Tx]) {
	k.record(k.Ledger, group, "d", "b")
	k.expect("batch", k.record(k.Ledger, group, "e", "d", "c", "b", "a"), true, false, true, false, true)
	k.expect("nothing", k.record(k.Ledger, group))
	var many []string
	for i := range 2500 {
		many = append(many, fmt.Sprintf("many-%04d", (i*1103)%2500))
	}
	for i, fresh := range k.record(k.Ledger, group, many[:1500]...) {
		if !fresh {
			k.Fatalf("%s is not new", many[i])
		}
	}
	for i, fresh := range k.record(k.Peer, group, many...) {
		if fresh != (i >= 1500) {
			k.Fatalf("%s: new %t, expected %t", many[i], fresh, i >= 1500)
		}
	}
}

func twiceInOne[Tx any](k *kit[Tx]) {
	k.inTx(k.Ledger, func(tx Tx) error {
		for _, want := range []bool{true, false, false} {
			fresh, err := k.Ledger.Record(k.ctx, tx, group, []string{"a"})
			k.must(err)
			k.expect("in one transaction", fresh, want)
		}
		fresh, err := k.Ledger.Record(k.ctx, tx, group, []string{"b", "a"})
		k.must(err)
		k.expect("beside another", fresh, true, false)
		return nil
	})
	k.expectKnown(true, group, "a", "b")
}

func savepointForgets[Tx any](k *kit[Tx]) {
	k.inTx(k.Ledger, func(tx Tx) error {
		record := func(id string, want bool) {
			k.Helper()
			fresh, err := k.Ledger.Record(k.ctx, tx, group, []string{id})
			k.must(err)
			k.expect(id, fresh, want)
		}
		record("before", true)
		k.must(k.Savepoint(k.ctx, tx, "s"))
		record("inside", true)
		record("again", true)
		k.must(k.RollbackTo(k.ctx, tx, "s"))
		record("before", false)
		record("again", true)
		return nil
	})
	k.expectKnown(true, group, "before", "again")
	k.expectKnown(false, group, "inside")
}
