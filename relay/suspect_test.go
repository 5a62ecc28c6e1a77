package relay_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay"
)

// noting is a store that notes the attempts that renewals write.
type noting struct {
	driver.Store
	attempts []int
}

func (s *noting) Renew(ctx context.Context, owner driver.Owner, lease time.Duration, rows []driver.Renewal) ([]driver.Held, error) {
	for _, r := range rows {
		if r.Attempts != 0 {
			s.attempts = append(s.attempts, r.Attempts)
		}
	}
	return s.Store.Renew(ctx, owner, lease, rows)
}

func TestASuspectsRunThatSucceedsIsNotAnAttempt(t *testing.T) {
	bubble(t, everySecond, recordA, func(ctx context.Context, r *rig) {
		r.writeCold(ctx, event("A", 1))
		for range 3 { // whose owners go away
			_, err := r.store.Claim(ctx, driver.ClaimRequest{
				Owner: driver.NewOwner("gone"), Lease: time.Second, Wants: []driver.Want{{Lane: "A", Rows: 1}},
			})
			if err != nil {
				t.Fatal(err)
			}
			pass(2 * time.Second)
		}
		s := &noting{Store: r.store}
		cfg := everySecond
		cfg.Logger = quietLog()
		rel, err := relay.New(s, r.reg, cfg)
		if err != nil {
			t.Fatal(err)
		}
		r.relay = rel
		r.run()
		pass(5 * time.Second)
		if want := []int{1, driver.NoAttempts}; !slices.Equal(s.attempts, want) {
			t.Errorf("attempts written %v, want %v: its own before the run, and none after", s.attempts, want)
		}
		r.wantStats(ctx, 0, 0, 1, 0)
	})
}

// Attempts that another program counted, or whose history is lost.
func TestASuspectIsNotCondemnedForAttemptsThatAreInNoHistory(t *testing.T) {
	bubble(t, everySecond, recordA, func(ctx context.Context, r *rig) {
		r.writeCold(ctx, event("A", 1))
		claim := func(owner driver.Owner) driver.Held {
			t.Helper()
			rows, err := r.store.Claim(ctx, driver.ClaimRequest{
				Owner: owner, Lease: time.Second, Wants: []driver.Want{{Lane: "A", Rows: 1}},
			})
			if err != nil || len(rows) != 1 {
				t.Fatalf("%d rows, %v", len(rows), err)
			}
			return rows[0].Held
		}
		other := driver.NewOwner("other")
		failed := driver.Outcome{Held: claim(other), Kind: driver.Retry, Attempts: 4, Error: "told without a history"}
		if _, err := r.store.Settle(ctx, other, []driver.Outcome{failed}, true); err != nil {
			t.Fatal(err)
		}
		for range 3 { // whose owners go away
			claim(driver.NewOwner("gone"))
			pass(2 * time.Second)
		}
		r.run()
		pass(10 * time.Second)
		if n := r.seen.times("A-00001"); n != 1 {
			t.Errorf("it ran %d times; dead letters: %+v", n, r.letters(ctx))
		}
		r.wantStats(ctx, 0, 0, 1, 0)
	})
}
