package storetest

import (
	"context"
	"slices"
	"strconv"

	"github.com/sendoff-go/outbox/driver"
)

func lockAuditLaws[Tx any]() []Law[Tx] {
	return []Law[Tx]{
		{
			Name:    "an entry of the audit log that another session has locked keeps no others from being swept",
			Why:     "the log grows while somebody has a transaction open",
			Applies: func(s Subject[Tx]) bool { return s.LockKept != nil && has(s, Control) },
			Check:   check(auditIsSweptBesideLocked[Tx]),
		},
	}
}

// auditIsSweptBesideLocked has the earliest entry and the latest locked.
func auditIsSweptBesideLocked[Tx any](k *kit[Tx]) {
	const old = 5
	for n := range old + 1 {
		k.must(k.Store.(driver.ControlStore).SetPaused(k.ctx, driver.PausableLane(lane), n%2 == 0, "ann"))
	}
	k.pass(2 * k.ClockResolution) // or the last is not old yet
	var ids []string              // the earliest first
	for _, e := range slices.Backward(k.entries()) {
		ids = append(ids, strconv.FormatInt(e.ID, 10))
	}
	releases := []func(){k.LockKept(k, Audit, ids[0]), k.LockKept(k, Audit, ids[old])}
	const batch = 2 // the caller goes on while they are full, as a relay does
	swept := 0
	for n := batch; n == batch; swept += n {
		k.soon(func(ctx context.Context) {
			var err error
			n, err = k.audits().SweepAudit(ctx, 0, batch)
			k.must(err)
		})
	}
	if left := len(k.entries()); swept != old-1 || left != old+1-swept {
		k.Fatalf("swept %d of %d that nobody has locked, and %d of %d entries are left", swept, old-1, left, old+1)
	}
	for _, release := range releases {
		release()
	}
	k.eventually("the rest is swept", func() bool {
		_, err := k.audits().SweepAudit(k.ctx, 0, all)
		k.must(err)
		return len(k.entries()) == 0
	})
}
