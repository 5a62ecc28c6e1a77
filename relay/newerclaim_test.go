package relay_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/outboxtest"
)

// A process can get a second claim of a row that still runs in it: its renewals
// failed, the lease ended, and its own poller came first. Then it loses that
// one too.
func TestLosingANewerClaimOfARunningRowLeavesNothingBehind(t *testing.T) {
	bubble(t, everySecond, func(r *rig) {
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error {
			if r.seen.note(e); e.ID == "A-00001" {
				<-r.gate // whatever becomes of its lease
			}
			return nil
		})
	}, func(ctx context.Context, r *rig) {
		f := r.flaky(everySecond)
		r.writeCold(ctx, event("A", 1))
		r.run()
		settled()
		refuse(f, outboxtest.OpRenew)
		pass(20 * time.Second) // claimed again
		refuse(f, outboxtest.OpRenew, outboxtest.OpClaim)
		pass(20 * time.Second)
		rows, err := r.store.Claim(ctx, driver.ClaimRequest{Owner: "other", Lease: time.Hour, Wants: []driver.Want{{Lane: "A", Rows: 10}}})
		if err != nil || len(rows) != 1 || rows[0].ClaimNo != 3 {
			t.Fatalf("claimed %+v, %v; expected the third claim of the row", rows, err)
		}
		f.Plan(nil)
		pass(20 * time.Second) // the loss is noticed
		close(r.gate)
		settled()
		if n := r.seen.times("A-00001"); n != 1 {
			t.Errorf("%d runs", n)
		}
		r.writeCold(ctx, event("A", 2)) // the counters are those of an empty relay
		r.write(ctx, event("A", 3))
		pass(2 * time.Second)
		if r.seen.times("A-00002") != 1 || r.seen.times("A-00003") != 1 {
			t.Error("later events are not delivered once")
		}
		start := time.Now()
		r.stop()
		if took := time.Since(start); took > 0 {
			t.Errorf("the shutdown took %s with nothing left to do", took)
		}
		r.wantStats(ctx, 0, 1, 2, 0)
	})
}

// The outcome clears the row's own record of the owners that disappeared.
func TestAnOutcomeUnderANewerClaimSaysThatAnotherRelayHadTheEventMeanwhile(t *testing.T) {
	for name, c := range map[string]struct {
		another bool
		claims  int // more of this relay
	}{
		"another":                {true, 1},
		"no other":               {false, 1},
		"no other, claimed more": {false, 3},
		"another, claimed more":  {true, 3},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, everySecond, func(r *rig) {
				r.reg.Handle("A", func(context.Context, outbox.Event) error {
					<-r.gate // whatever becomes of its lease
					return outbox.Permanent(errBoom)
				})
			}, func(ctx context.Context, r *rig) {
				f := r.flaky(everySecond)
				r.writeCold(ctx, event("A", 1))
				r.run()
				settled()
				if c.another {
					refuse(f, outboxtest.OpRenew, outboxtest.OpClaim)
					pass(20 * time.Second)
					rows, err := r.store.Claim(ctx, driver.ClaimRequest{Owner: "other", Lease: time.Second, Wants: []driver.Want{{Lane: "A", Rows: 10}}})
					if err != nil || len(rows) != 1 {
						t.Fatalf("claimed %+v, %v", rows, err)
					}
				}
				refuse(f, outboxtest.OpRenew)
				for range c.claims {
					pass(16 * time.Second) // claimed again
				}
				f.Plan(nil)
				close(r.gate)
				pass(20 * time.Second)
				if l := r.onlyLetter(ctx); len(l.Failures) != 1 || driver.MaybeDelivered(l.Failures) != c.another {
					t.Errorf("history %+v", l.Failures)
				}
			})
		})
	}
}

func refuse(f *outboxtest.FlakyStore, ops ...outboxtest.Op) {
	f.Plan(func(op outboxtest.Op, _ int) outboxtest.Fault {
		if slices.Contains(ops, op) {
			return outboxtest.Refuse
		}
		return outboxtest.None
	})
}
