package tally

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/sendoff-go/outbox"
)

// Ledger follows numbered events of one lane. It is safe for concurrent use.
// It keeps 24 bytes for each number up to the highest one.
type Ledger struct {
	// Latency is the time from the answer to COMMIT to the first run of the
	// listener. An event that arrives before the answer does has 0.
	Latency Histogram

	start  time.Time
	pages  atomic.Pointer[[]*page]
	growth sync.Mutex

	written, delivered, duplicates, retried, gaveUp, rolledBack, phantoms, hot, repeated atomic.Int64
}

// NewLedger is an empty ledger.
func NewLedger() *Ledger {
	l := &Ledger{start: time.Now()}
	l.pages.Store(&[]*page{})
	return l
}

const pageSize = 1 << 14

type page [pageSize]entry

// entry is what is known of one number.
type entry struct {
	// committed is the moment of the commit in nanoseconds after start, which
	// is positive, or one of the states below.
	committed atomic.Int64
	runs      atomic.Int32
	done      atomic.Int32
	gaveUp    atomic.Bool
}

const (
	open       = 0
	rolledBack = -1
	unknown    = -2
)

func (l *Ledger) entry(n int) *entry {
	for {
		if pages := *l.pages.Load(); n/pageSize < len(pages) {
			return &pages[n/pageSize][n%pageSize]
		}
		l.grow(n)
	}
}

func (l *Ledger) grow(n int) {
	l.growth.Lock()
	defer l.growth.Unlock()
	pages := *l.pages.Load()
	for n/pageSize >= len(pages) {
		// A reader may hold the shorter slice, which stays valid.
		pages = append(pages[:len(pages):len(pages)], new(page))
	}
	l.pages.Store(&pages)
}

// Committed notes that event n was committed just now.
func (l *Ledger) Committed(n int) {
	l.entry(n).committed.Store(max(int64(time.Since(l.start)), 1))
	l.written.Add(1)
}

// RolledBack notes that event n was written and rolled back: nobody may ever
// see it.
func (l *Ledger) RolledBack(n int) {
	e := l.entry(n)
	e.committed.Store(rolledBack)
	l.rolledBack.Add(1)
	l.phantoms.Add(int64(e.runs.Load()))
}

// Unknown notes that the answer to the commit of event n was lost. It counts
// as written if it arrives.
func (l *Ledger) Unknown(n int) {
	e := l.entry(n)
	e.committed.Store(unknown)
	if e.done.Load() > 0 {
		l.cameThrough(e)
	}
}

func (l *Ledger) cameThrough(e *entry) {
	if e.committed.CompareAndSwap(unknown, 1) {
		l.written.Add(1)
	}
}

// Begin notes that a run of event n begins, and returns which one it is, 1 for
// the first.
func (l *Ledger) Begin(n int, hot bool) (run int) {
	e := l.entry(n)
	run = int(e.runs.Add(1))
	committed := e.committed.Load()
	if committed == rolledBack {
		l.phantoms.Add(1)
	}
	if run > 1 {
		if e.gaveUp.CompareAndSwap(true, false) { // somebody asked to try it again
			l.gaveUp.Add(-1)
		}
		if e.done.Load() == 0 {
			l.retried.Add(1)
		}
		return run
	}
	if hot {
		l.hot.Add(1)
	}
	latency := time.Duration(0)
	if committed > open {
		latency = time.Since(l.start) - time.Duration(committed)
	}
	l.Latency.Add(latency)
	return run
}

// Done notes that the listener handled event n, and reports whether it did so for
// the first time.
func (l *Ledger) Done(n int) (first bool) {
	e := l.entry(n)
	first = e.done.Add(1) == 1
	l.cameThrough(e)
	if first {
		l.delivered.Add(1)
	} else {
		l.duplicates.Add(1)
	}
	return first
}

// Asked notes that somebody asked for this many of the duplicates, which therefore
// count as repeated instead.
func (l *Ledger) Asked(duplicates int) {
	l.duplicates.Add(-int64(duplicates))
	l.repeated.Add(int64(duplicates))
}

// GaveUp notes that event n is not tried again, unless somebody asks for it. An event
// that was handled before stays handled.
func (l *Ledger) GaveUp(n int) {
	e := l.entry(n)
	if e.done.Load() == 0 && e.gaveUp.CompareAndSwap(false, true) {
		l.gaveUp.Add(1)
	}
}

// Delivered reports whether the listener handled event n.
func (l *Ledger) Delivered(n int) bool { return l.entry(n).done.Load() > 0 }

// IsCommitted reports whether event n is known to be committed.
func (l *Ledger) IsCommitted(n int) bool { return l.entry(n).committed.Load() > open }

// Commits notes what a writer commits. Of finds the ledger and the number of an
// event.
func Commits(of func(outbox.Event) (*Ledger, int)) func([]outbox.Event) {
	return func(es []outbox.Event) {
		for _, e := range es {
			l, n := of(e)
			l.Committed(n)
		}
	}
}
