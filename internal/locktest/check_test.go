package locktest

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/complaints"
	"github.com/sendoff-go/outbox/store/memstore"
	"github.com/sendoff-go/outbox/storetest"
)

func TestALawThatFailsInMostTriesFailsOnAMachineThatRuns(t *testing.T) {
	for name, tt := range map[string]struct {
		found []string
		still time.Duration
		want  bool
	}{
		"an outage, and the machine ran":         {[]string{"Claim: " + outbox.ErrStoreDown.Error()}, standstill - 1, false},
		"an outage, and the machine stood still": {[]string{"other", "Claim: " + outbox.ErrStoreDown.Error()}, standstill, true},
		"another failure":                        {[]string{"other"}, time.Hour, false},
		"none":                                   {nil, time.Hour, false},
	} {
		if got := excused(tt.found, tt.still); got != tt.want {
			t.Errorf("%s: excused is %t, expected %t", name, got, tt.want)
		}
	}
}

// The server stands still: the process of the test itself goes on. Time is fake, so
// that the machine of this test does not.
func TestAServerThatStandsStillExcusesAnOutage(t *testing.T) {
	for name, tt := range map[string]struct {
		stands    time.Duration
		wantTries int
	}{
		"it runs":         {0, 1},
		"it stands still": {2 * standstill, 3},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := 0
				law := storetest.Law[*memstore.Tx]{Check: func(t testing.TB, _ storetest.Subject[*memstore.Tx]) {
					<-time.After(time.Second)
					if n++; n < 3 {
						t.Errorf("Claim: %v", outbox.ErrStoreDown)
					}
				}}
				open := func(testing.TB) storetest.Subject[*memstore.Tx] {
					return storetest.Subject[*memstore.Tx]{Exec: func(context.Context, string) error { <-time.After(tt.stands); return nil }}
				}
				found := complaints.Of(t, func(t testing.TB) { Check(t, true, law, open) })
				if n != tt.wantTries || (len(found) == 0) != (n == 3) {
					t.Errorf("%d tries, expected %d; complaints: %q", n, tt.wantTries, found)
				}
			})
		})
	}
}

// The machine goes on when the law's last call has failed, and what feels its pulse has
// not had its turn yet.
func TestAStandstillInTheLastBeatOfALawExcusesIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := 0
		var goesOn atomic.Int64 // in milliseconds
		law := storetest.Law[*memstore.Tx]{Check: func(t testing.TB, _ storetest.Subject[*memstore.Tx]) {
			<-time.After(time.Second + beat/4) // between two beats
			if n++; n == 1 {
				goesOn.Store(time.Now().Add(2 * standstill).UnixMilli())
				<-time.After(2*standstill - 1)
				t.Errorf("Claim: %v", outbox.ErrStoreDown)
			}
		}}
		open := func(testing.TB) storetest.Subject[*memstore.Tx] {
			return storetest.Subject[*memstore.Tx]{Exec: func(ctx context.Context, _ string) error {
				select {
				case <-ctx.Done():
				case <-time.After(time.Until(time.UnixMilli(goesOn.Load()))):
				}
				return ctx.Err()
			}}
		}
		if found := complaints.Of(t, func(t testing.TB) { Check(t, true, law, open) }); n != 2 || len(found) > 0 {
			t.Errorf("%d tries, expected 2; complaints: %q", n, found)
		}
	})
}

func TestASessionThatCannotFeelThePulseFailsTheLaw(t *testing.T) {
	law := storetest.Law[*memstore.Tx]{Check: func(testing.TB, storetest.Subject[*memstore.Tx]) {}}
	found := complaints.Of(t, func(t testing.TB) {
		Check(t, true, law, func(testing.TB) storetest.Subject[*memstore.Tx] {
			return storetest.Subject[*memstore.Tx]{Exec: func(context.Context, string) error { return errors.New("no table") }}
		})
	})
	if len(found) == 0 {
		t.Error("no complaint")
	}
}
