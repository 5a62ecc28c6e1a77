package driver

import (
	"context"
	"time"
)

// NotifyStore is a store that can wake relays of other processes. It is called
// after a commit, never inside the application's transaction.
type NotifyStore interface {
	Notify(ctx context.Context, lanes []string) error
}

// TxNotifyStore is a store that can wake relays when the caller's transaction
// commits; see [outbox.WithNotifyInTx].
type TxNotifyStore[Tx any] interface {
	NotifyIn(ctx context.Context, tx Tx, lanes []string) error
}

// Waker is a source of wake-ups. Listen blocks until ctx is done or the source
// is lost, and calls wake with the lanes that have new rows (none: any lane).
// A lost wake-up costs latency, never an event.
type Waker interface {
	Listen(ctx context.Context, wake func(lanes []string)) error
}

// InstanceStore keeps which relays are running, for operators. Delivery does
// not depend on it.
type InstanceStore interface {
	Announce(ctx context.Context, in Instance) error
	Withdraw(ctx context.Context, owner Owner) error
	// Instances lists those announced within the last minute.
	Instances(ctx context.Context) ([]Instance, error)
}

// Instance is one running relay.
type Instance struct {
	Owner     Owner
	StartedAt time.Time // by the database's clock; set by the store
	SeenAt    time.Time // by the database's clock; set by the store
	Version   string
	Lanes     []string
	// Destinations are at most [MaxInstanceDestinations].
	Destinations []InstanceDestination
	Figures      Figures
}

// MaxInstanceDestinations bounds what one relay announces.
const MaxInstanceDestinations = 500

// InstanceDestination is a destination as one relay sees it.
type InstanceDestination struct {
	Name string `json:"name"`
	// Down is how long it had been down when the instance was last seen; 0: it is
	// not down.
	Down time.Duration `json:"down,omitempty"`
	// Reason is why it is down, at most [MaxDownReason] characters.
	Reason string `json:"reason,omitempty"`
	// Lanes are the lanes whose events may go there, at most [MaxDestinationLanes].
	Lanes []string `json:"lanes,omitempty"`
	// More says that events of other lanes may go there too: a pattern leads there,
	// and matches lanes that the relay has not met, or there are too many.
	More bool `json:"more,omitempty"`
}

// MaxDestinationLanes bounds the lanes that are announced with a destination.
const MaxDestinationLanes = 50

// MaxDownReason is the length of a reason in characters.
const MaxDownReason = 500

// ExpiringStore can delete old rows of a table that only writers use and a CDC
// pipeline reads.
type ExpiringStore interface {
	// ExpireWritten deletes at most limit rows older than age, delivered or
	// not, and refuses while an [Instance] is alive on the table.
	ExpireWritten(ctx context.Context, age time.Duration, limit int) (int, error)
}

// StatsStore counts rows.
type StatsStore interface {
	// Stats looks at a bounded number of rows of each kind.
	Stats(ctx context.Context) (Stats, error)
}

// Count is a number of rows that may have been counted only up to a bound.
type Count struct {
	N int64
	// More is true if counting stopped at N.
	More bool
}

// Stats is the state of a table.
type Stats struct {
	Waiting Count // pending and free, due or not
	// Held are pending and under a claim or head start. If Held.More, Waiting may
	// include more of them; the sum of both is exact unless Waiting.More.
	Held Count
	Done Count
	Dead Count // unresolved dead letters
	// OldestDue is how long the earliest due row has been waiting; 0: none.
	OldestDue time.Duration
	Lanes     []LaneStats // those with pending or dead rows, by name
}

// LaneStats is the state of one lane.
type LaneStats struct {
	Lane      string
	Waiting   Count
	Held      Count
	Dead      Count
	OldestDue time.Duration
}
