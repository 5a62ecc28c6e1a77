package tally

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/store/memstore"
)

func deliver(l *Ledger, n int) {
	l.Begin(n, true)
	l.Done(n)
}

func TestWhatArrivesIsCountedAgainstWhatWasCommitted(t *testing.T) {
	l := NewLedger()
	for n := range 5 {
		l.Committed(n)
	}
	deliver(l, 0)
	deliver(l, 1)
	deliver(l, 1) // twice
	l.Begin(2, false)
	deliver(l, 2) // after a failure
	l.Begin(3, false)
	l.GaveUp()
	got := l.Counts()
	want := Counts{Written: 5, Delivered: 3, Duplicates: 1, Retried: 1, GaveUp: 1, Hot: 2}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got.Open() != 1 {
		t.Errorf("open are %d, want 1", got.Open())
	}
}

func TestARolledBackEventIsAPhantomWheneverItIsSeen(t *testing.T) {
	l := NewLedger()
	l.Begin(0, false)
	l.RolledBack(0)
	l.RolledBack(1)
	l.Begin(1, false)
	l.RolledBack(2)
	if got := l.Counts(); got.Phantoms != 2 || got.RolledBack != 3 || got.Written != 0 {
		t.Errorf("got %+v, want 2 phantoms of 3", got)
	}
}

func TestAnUnknownCommitCountsIfItArrives(t *testing.T) {
	l := NewLedger()
	l.Unknown(0)
	deliver(l, 0)
	deliver(l, 1)
	l.Unknown(1)
	l.Unknown(2) // never arrives
	if got := l.Counts(); got.Written != 2 || got.Delivered != 2 || got.Open() != 0 {
		t.Errorf("got %+v, want 2 written and delivered", got)
	}
}

func TestLatencyIsFromTheCommitToTheFirstRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := NewLedger()
		<-time.After(time.Second)
		l.Committed(0)
		<-time.After(10 * time.Millisecond)
		l.Begin(0, true)
		<-time.After(time.Minute)
		deliver(l, 0)
		if got := l.Latency.Max(); got != 10*time.Millisecond {
			t.Errorf("latency is %s, want 10ms", got)
		}
		l.Begin(1, true) // arrives before the answer to its commit
		l.Committed(1)
		if got := l.Latency.Snapshot().Quantile(0.5); got != 0 {
			t.Errorf("latency is %s, want 0", got)
		}
	})
}

func TestALedgerGrowsWhileItIsUsed(t *testing.T) {
	l := NewLedger()
	var done sync.WaitGroup
	const each = pageSize/2 + 1 // three pages in all
	for i := range 4 {
		done.Go(func() {
			for n := range each {
				l.Committed(4*n + i)
				deliver(l, 4*n+i)
			}
		})
	}
	done.Wait()
	if got := l.Counts(); got.Written != 4*each || got.Delivered != 4*each || got.Duplicates != 0 {
		t.Errorf("got %+v, want %d of each", got, 4*each)
	}
	if !l.Delivered(0) || !l.IsCommitted(4*each-1) || l.Delivered(4*each) {
		t.Error("the ledger forgot what it was told")
	}
}

// order notes in which order a hook and the relay behind it were told.
type order struct {
	ledger *Ledger
	t      *testing.T
	told   int
}

func (o *order) Admit([]outbox.Event, time.Time) time.Duration { return time.Second }
func (o *order) Dropped(ws []outbox.Written)                   { o.told += len(ws) }
func (o *order) Committed(ws []outbox.Written) {
	if o.ledger.Counts().Written != int64(len(ws)) {
		o.t.Error("the relay is told before the ledger: a fast listener would run before the commit was noted")
	}
	o.told += len(ws)
}

func TestCommitsAreNotedBeforeTheRelayHearsOfThem(t *testing.T) {
	l := NewLedger()
	relay := &order{ledger: l, t: t}
	w := outbox.NewWriter(memstore.New(memstore.Config{}), outbox.WithCommitHook(relay),
		Commits(func(e outbox.Event) (*Ledger, int) { return l, len(e.Type) }))
	err := w.InTx(t.Context(), func(ctx context.Context, tx *memstore.Tx) error {
		_, err := w.WriteAll(ctx, tx, outbox.Event{Type: "a", JSON: []byte("1")}, outbox.Event{Type: "bb", JSON: []byte("1")})
		return err
	})
	if err != nil || relay.told != 2 || !l.IsCommitted(1) || !l.IsCommitted(2) {
		t.Errorf("the relay was told of %d events, want 2; error %v", relay.told, err)
	}
}
