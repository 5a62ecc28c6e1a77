package driver

import (
	"context"
	"time"
)

// ConsumerStore lists the consumer groups of a [Ledger], for operators.
type ConsumerStore interface {
	// ConsumerGroups lists at most limit groups that have recorded events, by name,
	// after the given one ("" for the first). Its cost depends on the number of
	// groups, not of events.
	ConsumerGroups(ctx context.Context, after string, limit int) ([]ConsumerGroup, error)
}

// ConsumerGroup is what a ledger knows about one group.
type ConsumerGroup struct {
	Name     string
	Recorded Count     // events that it remembers, counted up to a bound
	LastAt   time.Time // when it last recorded one, by the database's clock
}
