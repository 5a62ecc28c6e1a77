package driver

import "context"

// ReplayStore delivers events again that were delivered and are still kept.
type ReplayStore interface {
	// ReplayDone makes delivered events wait again, without attempts and history,
	// or copies them, and returns what happened to each, in their order: not
	// found stands for one that is gone, erased or not delivered, or that somebody
	// else is changing. No outcome of an earlier
	// claim fits what waits again. A new id that the outbox has is an error.
	ReplayDone(ctx context.Context, events []Replay) ([]DeadResult, error)
}

// Replay names a delivered event.
type Replay struct {
	EventID string
	// NewID, if not "", is the id of a copy that waits in place of the event, and
	// carries its id in the header [ReplayOf].
	NewID string
}

// ReplayOf is the header of a copy: the id of the event that it repeats.
const ReplayOf = "outbox_replay_of"

// EraseStore blanks what events say, and keeps that they were there: the payload
// becomes the JSON null, or empty bytes, and the headers only [Erased]; errors and
// attempts, which may quote them, go too.
type EraseStore interface {
	// EraseDone blanks delivered events, and returns what happened to each id, in
	// their order: conflict stands for one that waits, or that somebody else is
	// changing, which it leaves.
	EraseDone(ctx context.Context, ids []string) ([]DeadResult, error)
	// EraseDead blanks dead letters, and resolves them: a retry could not deliver
	// what they said.
	EraseDead(ctx context.Context, keys []DeadKey) ([]DeadResult, error)
}

// Erased is the header of an event that was erased, with the value "true".
const Erased = "outbox_erased"
