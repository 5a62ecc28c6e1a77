//go:build !race

package relay_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay"
)

// left is how many letters are open and resolved, and how many entries the audit
// log has.
func left(r *rig) [3]int {
	r.t.Helper()
	var n [3]int
	for i, resolved := range []bool{false, true} {
		c, err := r.store.CountDead(r.t.Context(), driver.DeadFilter{Resolved: resolved})
		if err != nil {
			r.t.Fatal(err)
		}
		n[i] = int(c.N)
	}
	entries, _, err := r.store.ListAudit(r.t.Context(), driver.AuditFilter{}, 0, 1000)
	if err != nil {
		r.t.Fatal(err)
	}
	n[2] = len(entries)
	return n
}

func TestResolvedLettersAndTheAuditLogAreKeptForTheirRetention(t *testing.T) {
	for _, c := range []struct {
		resolved, audit time.Duration
		want            [3]int
	}{
		{0, 0, [3]int{1, 3, 3}},
		{3 * time.Hour, 0, [3]int{1, 1, 3}},
		{0, 3 * time.Hour, [3]int{1, 3, 1}},
		{3 * time.Hour, 3 * time.Hour, [3]int{1, 1, 1}},
	} {
		bubble(t, relay.Config{
			ResolvedRetention: c.resolved, AuditRetention: c.audit, SweepBatch: 1,
			Lane: relay.LaneConfig{MaxAttempts: 1},
		}, func(r *rig) {
			r.reg.Handle("A", func(context.Context, outbox.Event) error { return outbox.Permanent(errors.New("no")) })
		}, func(ctx context.Context, r *rig) {
			r.run()
			ids := r.write(ctx, numbered("A", 1, 5)...)
			<-time.After(time.Minute)
			by := driver.WithAct(ctx, driver.Act{By: "ann"})
			for i, id := range ids[:3] {
				if i == 2 {
					<-time.After(2 * time.Hour)
				}
				if _, err := r.store.ResolveDead(by, driver.DeadIDs(id)); err != nil {
					r.t.Fatal(err)
				}
			}
			<-time.After(135 * time.Minute)
			if got := left(r); !slices.Equal(got[:], c.want[:]) {
				r.t.Errorf("%s and %s: open, resolved and audited are %v, want %v", c.resolved, c.audit, got, c.want)
			}
		})
	}
}
