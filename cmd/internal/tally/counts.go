package tally

// Counts is what a ledger knows at one moment.
type Counts struct {
	Written    int64 // committed
	Delivered  int64 // of those, handled by the listener
	Duplicates int64 // handled once more
	Repeated   int64 // handled once more because somebody asked for it
	Retried    int64 // runs that followed a failed one
	GaveUp     int64 // refused by the listener for good
	RolledBack int64 // written in transactions that did not commit
	Phantoms   int64 // runs of those, which must not exist
	Hot        int64 // first runs that came from memory, right after the commit
}

// Counts reads all counters. While events flow they are of slightly different
// moments.
func (l *Ledger) Counts() Counts {
	return Counts{
		Written: l.written.Load(), Delivered: l.delivered.Load(), Duplicates: l.duplicates.Load(),
		Retried: l.retried.Load(), GaveUp: l.gaveUp.Load(), RolledBack: l.rolledBack.Load(),
		Phantoms: l.phantoms.Load(), Hot: l.hot.Load(), Repeated: l.repeated.Load(),
	}
}

// Open is the number of events that are neither delivered nor given up.
func (c Counts) Open() int64 { return max(c.Written-c.Delivered-c.GaveUp, 0) }

// Add is both together.
func (c Counts) Add(o Counts) Counts {
	return Counts{
		Written: c.Written + o.Written, Delivered: c.Delivered + o.Delivered, Duplicates: c.Duplicates + o.Duplicates,
		Retried: c.Retried + o.Retried, GaveUp: c.GaveUp + o.GaveUp, RolledBack: c.RolledBack + o.RolledBack,
		Phantoms: c.Phantoms + o.Phantoms, Hot: c.Hot + o.Hot, Repeated: c.Repeated + o.Repeated,
	}
}
