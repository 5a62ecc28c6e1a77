package driver

import (
	"context"
	"time"

	"github.com/sendoff-go/outbox"
)

// EventStore lets operators look at the events of the outbox itself, waiting or
// delivered. The event table has no index for that, since every INSERT would pay
// for it: a filter is applied to a bounded number of rows at a time.
type EventStore interface {
	// ListEvents lists at most limit events after the given one (nil for the
	// first), latest first, and returns where the next page starts, or nil after
	// the last. The order is by seq, or by id in a table whose key is the id, as
	// on PostgreSQL: ids of this library grow with time, those of other programs
	// may not. Paging is by key: an event is neither shown twice nor skipped
	// while others come and go. With a filter, ListEvents looks at a bounded
	// number of events, so a page may be short or empty and still have a next
	// one. A page of large payloads may be short too.
	ListEvents(ctx context.Context, f EventFilter, after *EventCursor, limit int) (events []StoredEvent, next *EventCursor, err error)
	// CountEvents counts the events that the filter matches, among a bounded
	// number of the latest.
	CountEvents(ctx context.Context, f EventFilter) (Count, error)
	// GetEvent returns one event; found is false if it is not in the outbox.
	GetEvent(ctx context.Context, id string) (e StoredEvent, found bool, err error)
}

// EventFilter selects events. The zero value matches all. It has no destination,
// because the outbox does not keep where an event was delivered; job.RouteOf finds
// the lanes of one.
type EventFilter struct {
	// Lane (the event type), Tenant and Key (the aggregate's id) are exact; ""
	// for any.
	Lane, Tenant, Key string
	Status            EventStatus // "" for any
	// WrittenAfter and WrittenBefore bound the time of writing; zero: no bound.
	WrittenAfter, WrittenBefore time.Time
	Unerased                    bool // leave out those that were erased; see [EraseStore]
}

// EventStatus is the state of an event in the outbox.
type EventStatus string

// The states of events.
const (
	EventWaiting EventStatus = "waiting" // pending and free, due or not
	EventHeld    EventStatus = "held"    // under a claim or a head start
	EventDone    EventStatus = "done"    // delivered, and kept for the retention time
	EventDead    EventStatus = "dead"    // marked by another program; a sweep makes it a dead letter
)

// EventCursor is the position of an event in the listing.
type EventCursor struct {
	Seq     int64
	EventID string
}

// StoredEvent is an event as the outbox has it.
type StoredEvent struct {
	Event outbox.Event
	Held  // the latest claim
	// Status is by the database's clock at the time of reading.
	Status EventStatus
	// Attempts is the number of failed attempts so far.
	Attempts    int
	AvailableAt time.Time
	CreatedAt   time.Time
	DoneAt      time.Time // zero unless done
	LockedBy    Owner     // "" for none, or a head start
	LockedUntil time.Time // zero for none; may have passed
	Error       string    // of the last failed attempt
	Failures    []Failure
	// Problem says which part of the row cannot be read, if any.
	Problem error
}

// Cursor is the position of the event in the listing.
func (e *StoredEvent) Cursor() *EventCursor {
	return &EventCursor{Seq: e.Seq, EventID: e.EventID}
}
