package doctor

import "time"

// Limits are what findings are compared with. A zero is the default.
type Limits struct {
	LongTransaction time.Duration // warn of older ones; default 5 min
	LockWait        time.Duration // warn of longer ones; default 1 s
	Clock           time.Duration // warn of a larger difference; default 1 s
	Unclaimed       time.Duration // how long an event may be due without a relay that knows its type; default 1 min
	DeadLetterAge   time.Duration // warn of older open dead letters; default 7 d
	// ConsumedRetention is how long consumers keep ids: what the configuration
	// says, or else 24 h, the default of consumers.
	ConsumedRetention time.Duration
	// ResolvedRetention is how long resolved dead letters are kept. Zero: not
	// known.
	ResolvedRetention time.Duration
	// DeadShare is the share of dead row versions, or of free space, from which
	// it is worth a warning, if it is more than DeadRows or FreeBytes. Defaults:
	// 0.5, 10,000 and 64 MiB.
	DeadShare float64
	DeadRows  int64
	FreeBytes int64
	// PlannedRows is the number of rows from which the claim has to use its
	// index: few rows are read faster without. Default 1000.
	PlannedRows int64
	// Fair says that relays divide event types among tenants, which needs an
	// index of its own.
	Fair bool
}

func (l Limits) withDefaults() Limits {
	or(&l.LongTransaction, 5*time.Minute)
	or(&l.LockWait, time.Second)
	or(&l.Clock, time.Second)
	or(&l.Unclaimed, time.Minute)
	or(&l.DeadLetterAge, 7*24*time.Hour)
	or(&l.ConsumedRetention, 24*time.Hour)
	or(&l.DeadShare, 0.5)
	or(&l.DeadRows, 10_000)
	or(&l.FreeBytes, 64<<20)
	or(&l.PlannedRows, 1000)
	return l
}

func or[T comparable](v *T, otherwise T) {
	if *v == *new(T) {
		*v = otherwise
	}
}
