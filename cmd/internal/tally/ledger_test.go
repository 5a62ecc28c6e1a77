package tally

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sendoff-go/outbox"
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
	l.GaveUp(3)
	l.GaveUp(3)
	got := l.Counts()
	want := Counts{Written: 5, Delivered: 3, Duplicates: 1, Retried: 1, GaveUp: 1, Hot: 2}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got.Open() != 1 {
		t.Errorf("open are %d, want 1", got.Open())
	}
}

func TestAnEventThatWasGivenUpMayBeTriedAgain(t *testing.T) {
	l := NewLedger()
	for n := range 2 {
		l.Committed(n)
		l.Begin(n, false)
		l.GaveUp(n)
	}
	l.Begin(0, false)
	if got := l.Counts(); got.GaveUp != 1 || got.Open() != 1 {
		t.Errorf("while it runs again: %+v", got)
	}
	l.Done(0)
	l.Begin(1, false)
	l.GaveUp(1)
	if got := l.Counts(); got.Delivered != 1 || got.GaveUp != 1 || got.Open() != 0 || got.Duplicates != 0 {
		t.Errorf("got %+v", got)
	}
}

func TestWhatSomebodyAskedForIsNoDuplicate(t *testing.T) {
	l := NewLedger()
	l.Committed(0)
	deliver(l, 0)
	deliver(l, 0)
	deliver(l, 0)
	l.Asked(1)
	l.GaveUp(0) // it stays delivered
	if got := l.Counts(); got.Duplicates != 1 || got.Repeated != 1 || got.GaveUp != 0 {
		t.Errorf("got %+v", got)
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

func TestCommitsAreNotedInTheLedgerOfTheirEvent(t *testing.T) {
	one, two := NewLedger(), NewLedger()
	Commits(func(e outbox.Event) (*Ledger, int) {
		return map[string]*Ledger{"a": one, "bb": two}[e.Type], len(e.Type)
	})(
		[]outbox.Event{{Type: "a"}, {Type: "bb"}})
	if !one.IsCommitted(1) || one.IsCommitted(2) || !two.IsCommitted(2) {
		t.Error("a commit was not noted, or in another ledger")
	}
}
