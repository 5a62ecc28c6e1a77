package inbox_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/inbox"
	"github.com/sendoff-go/outbox/store/memstore"
)

// run starts the clean-up and returns what ends it.
func (r *rig) run(t *testing.T) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- r.Run(ctx) }()
	return func() {
		t.Helper()
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("run: %v", err)
		}
	}
}

func TestIDsAreForgottenAfterTheirRetentionAndNoEarlier(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, inbox.Config{})
		defer r.run(t)()
		r.consume(t, nil, "a")
		<-time.After(time.Hour)
		r.consume(t, nil, "b")
		<-time.After(23*time.Hour - time.Second)
		if ran := r.consume(t, nil, "a", "b"); len(ran) > 0 {
			t.Errorf("%v were forgotten before their time", ran)
		}
		<-time.After(6 * time.Second)
		r.told.expect(t, map[string]int{"consumed": 2, "duplicated": 2, "cleaned": 1})
		if ran := r.consume(t, nil, "a", "b"); len(ran) != 1 || ran[0] != "a" {
			t.Errorf("new are %v, expected a alone", ran)
		}
	})
}

func TestAFullBatchIsFollowedByTheNextAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, inbox.Config{CleanBatch: 10, CleanInterval: time.Hour})
		var ids []string
		for i := range 35 {
			ids = append(ids, fmt.Sprint(i))
		}
		r.consume(t, nil, ids...)
		<-time.After(25 * time.Hour)
		r.told.expect(t, map[string]int{"consumed": 35})
		start := time.Now()
		if n, err := r.Clean(t.Context()); err != nil || n != 35 || time.Since(start) > 0 {
			t.Errorf("forgot %d in %s, error %v", n, time.Since(start), err)
		}
		r.told.expect(t, map[string]int{"cleaned": 35})
	})
}

func TestWhatIsKeptForeverIsNeverForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, inbox.Config{KeepForever: true})
		defer r.run(t)()
		r.consume(t, nil, "a")
		<-time.After(10000 * time.Hour)
		if n, err := r.Clean(t.Context()); err != nil || n != 0 {
			t.Errorf("forgot %d, error %v", n, err)
		}
		if ran := r.consume(t, nil, "a"); len(ran) > 0 {
			t.Error("it was forgotten")
		}
	})
}

// outage is a ledger that cannot forget.
type outage struct {
	driver.Ledger[*memstore.Tx]
	down atomic.Bool
}

func (o *outage) Forget(ctx context.Context, group string, age time.Duration, limit int) (int, error) {
	if o.down.Load() {
		return 0, errors.New("no answer")
	}
	return o.Ledger.Forget(ctx, group, age, limit)
}

func TestACleanUpThatFailsIsReportedAndTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := memstore.New(memstore.Config{})
		ledger := &outage{Ledger: store}
		ledger.down.Store(true)
		r := newRigOn(t, store, ledger, inbox.Config{CleanInterval: time.Minute})
		r.consume(t, nil, "a")
		<-time.After(25 * time.Hour)
		stop := r.run(t)
		<-time.After(90 * time.Second)
		r.told.expect(t, map[string]int{"consumed": 1, "loop": 2})
		if lines := r.log.take(); len(lines) != 2 || !strings.Contains(lines[0], "ERROR inbox: forget failed") {
			t.Errorf("logged %q", lines)
		}
		ledger.down.Store(false)
		<-time.After(time.Minute)
		stop()
		r.told.expect(t, map[string]int{"cleaned": 1})
	})
}

func TestDeadLettersOlderThanTheRetentionAreWarnedOf(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, inbox.Config{})
		w := outbox.NewWriter(r.store)
		if err := w.InTx(t.Context(), func(ctx context.Context, tx *memstore.Tx) error {
			_, err := w.Write(ctx, tx, outbox.Event{Type: "OrderPlaced", JSON: []byte("1")})
			return err
		}); err != nil {
			t.Fatal(err)
		}
		cs, err := r.store.Claim(t.Context(), driver.ClaimRequest{Owner: "a", Lease: time.Hour, Wants: []driver.Want{{Lane: "OrderPlaced", Rows: 1}}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.store.Settle(t.Context(), "a", []driver.Outcome{{Held: cs[0].Held, Kind: driver.Dead}}, true); err != nil {
			t.Fatal(err)
		}
		defer r.run(t)()
		<-time.After(23 * time.Hour)
		if lines := r.log.take(); len(lines) > 0 {
			t.Errorf("logged %q before the letter was old", lines)
		}
		<-time.After(2*time.Hour + time.Minute)
		if lines := r.log.take(); len(lines) == 0 || !strings.Contains(lines[0], "WARN inbox: dead letters are older") {
			t.Errorf("logged %q", lines)
		}
	})
}
