package driver

import "context"

// ReplayStore delivers again events that were delivered and are still kept.
type ReplayStore interface {
	// ReplayDone puts delivered events back to waiting, with no attempts and no
	// history, or copies them, and returns what happened to each, in order. Not
	// found means that the event is gone, erased or undelivered, or that another
	// session is changing it. The fence rejects outcomes of earlier claims. A new
	// id that is already in the outbox is an error.
	ReplayDone(ctx context.Context, events []Replay) ([]DeadResult, error)
}

// Replay names a delivered event.
type Replay struct {
	EventID string
	// NewID, if not "", is the id of a copy that is delivered instead of the
	// event. The copy carries the event's id in the header [ReplayOf].
	NewID string
}

// ReplayOf is the header of a copy: the id of the event that it repeats.
const ReplayOf = "outbox_replay_of"

// EraseStore blanks the contents of events and keeps their rows. The payload
// becomes JSON null, or empty bytes; [Erased] is the only header left; errors and
// the history, which may quote the payload, are removed too. So are the reasons of
// all groups without an unresolved letter, which may be what an erased one said; a
// store that is also a [GroupStore] restores the reason with the group's next
// letter.
type EraseStore interface {
	// EraseDone blanks delivered events and returns what happened to each id, in
	// order. Conflict means that the event is still waiting, or that another
	// session is changing it; it is left alone.
	EraseDone(ctx context.Context, ids []string) ([]DeadResult, error)
	// EraseDead blanks dead letters and resolves them, since there is nothing
	// left to retry.
	EraseDead(ctx context.Context, keys []DeadKey) ([]DeadResult, error)
}

// Erased is the header of an event that was erased, with the value "true".
const Erased = "outbox_erased"
