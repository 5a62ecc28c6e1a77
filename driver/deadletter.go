package driver

import (
	"context"
	"encoding/json"
	"time"

	"github.com/sendoff-go/outbox"
)

// DeadLetterStore is what operators do with dead letters. Package dlq uses it.
type DeadLetterStore interface {
	// CountDead counts the letters that the filter matches, up to a bound of
	// those that match and of those that it looks at.
	CountDead(ctx context.Context, f DeadFilter) (Count, error)
	// ListDead lists at most limit letters after the given one (nil for the
	// first), latest first, and returns where the next page starts, or nil
	// after the last. Paging is by key: a letter is neither shown twice nor
	// skipped while others come and go. Where no index finds what matches, it
	// looks at a bounded number of letters: a page may be short or empty and yet
	// have a next one. A page of large payloads is short, too.
	ListDead(ctx context.Context, f DeadFilter, after *DeadCursor, limit int) (letters []DeadLetter, next *DeadCursor, err error)
	// GetDead returns one letter; found is false if there is none. Of several
	// letters of one id, it returns the latest.
	GetDead(ctx context.Context, id string) (letter DeadLetter, found bool, err error)
	// EarlierDead lists at most limit letters of an id before the one with the given
	// seq, latest first: the originals of edits, and what was resolved before the
	// id died again. A page of large payloads is short.
	EarlierDead(ctx context.Context, id string, seq int64, limit int) ([]DeadLetter, error)
	// ReplayDead moves letters back as new events, with the same id and payload
	// but without attempts and history, of which only [EarlierFailures] stays
	// where [DeadLetter.Delivered] says maybe. It returns what happened to each,
	// in the order of the keys. Of several letters of one id, the latest goes back.
	// One that was erased is not found: it says nothing that could be delivered.
	ReplayDead(ctx context.Context, keys []DeadKey) ([]DeadResult, error)
	// EditDead moves one letter back as ReplayDead does, with another payload and
	// other headers, and resolves it: the letter keeps the original. It takes
	// an open letter by its id and seq.
	EditDead(ctx context.Context, key DeadKey, e DeadEdit) (DeadResult, error)
	// ResolveDead marks letters as resolved by hand; they stay until they are
	// deleted or swept. Resolving twice keeps the first time.
	ResolveDead(ctx context.Context, keys []DeadKey) ([]DeadResult, error)
	// NoteDead puts a note on letters, in place of an earlier one, under the name of
	// the context's [Act]; "" removes it. At most 4000 characters are kept.
	NoteDead(ctx context.Context, keys []DeadKey, note string) ([]DeadResult, error)
	// DeleteDead deletes letters for good.
	DeleteDead(ctx context.Context, keys []DeadKey) ([]DeadResult, error)
	// SweepDead deletes at most limit letters resolved longer than age ago.
	SweepDead(ctx context.Context, age time.Duration, limit int) (int, error)
}

// DeadFilter narrows dead letters. The zero value matches all unresolved ones.
type DeadFilter struct {
	Lane  string // exact event type; "" for any
	Error string // contained in the error text; "" for any
	// Group, Destination, Tenant and Key (the aggregate's id) are exact; "" for
	// any. A letter has neither group nor destination until it is grouped.
	Group, Destination, Tenant, Key string
	Resolved                        bool // the resolved ones instead of the others
	Unerased                        bool // leave out those that were erased; see [EraseStore]
	// DiedBefore and DiedAfter bound the time of death; zero: no bound.
	DiedBefore, DiedAfter time.Time
}

// DeadCursor is the position of a letter in the listing.
type DeadCursor struct {
	DiedAt  time.Time
	EventID string
}

// DeadLetter is an event that was given up.
type DeadLetter struct {
	Event outbox.Event
	Held  // the last claim; a replay continues its number
	// Attempts is the number of attempts that were made.
	Attempts int
	Error    string
	// Group is the [DeadGroup] of the letter, and Destination where it was not
	// delivered; "" until [GroupStore.GroupDead] has seen it.
	Group, Destination string
	Failures           []Failure
	CreatedAt          time.Time
	DiedAt             time.Time
	ResolvedAt         time.Time // zero unless resolved
	// Note is what a person wrote about it; "" for none. NotedBy and NotedAt say who
	// and when.
	Note, NotedBy string
	NotedAt       time.Time
	// Problem says which part of the row cannot be read, if any.
	Problem error
}

// Cursor is the position of the letter in the listing.
func (l *DeadLetter) Cursor() *DeadCursor { return &DeadCursor{DiedAt: l.DiedAt, EventID: l.Event.ID} }

// Key names the letter as it is now: if somebody resolves it meanwhile, the key
// of an open letter no longer fits.
func (l *DeadLetter) Key() DeadKey {
	return DeadKey{EventID: l.Event.ID, Seq: l.Seq, Open: l.ResolvedAt.IsZero()}
}

// DeadKey names letters.
type DeadKey struct {
	EventID string
	Seq     int64 // that of one letter; 0: every letter of the id
	Open    bool  // only if it is not resolved
}

// DeadIDs names every letter of some ids.
func DeadIDs(ids ...string) []DeadKey {
	keys := make([]DeadKey, len(ids))
	for i, id := range ids {
		keys[i].EventID = id
	}
	return keys
}

// DeadEdit is what an event gets in place of what it died with: a payload, as
// JSON or as bytes, and headers.
type DeadEdit struct {
	JSON    json.RawMessage
	Bytes   []byte
	Headers map[string]string
}

// DeadResult is what happened to one key of a bulk call.
type DeadResult struct {
	ID     string
	Status DeadStatus
}

// DeadStatus is what happened to one dead letter.
type DeadStatus string

// The answers of bulk calls.
const (
	DeadApplied  DeadStatus = "applied"
	DeadNotFound DeadStatus = "not found"
	// DeadConflict: an event with that id is in the outbox again, so the letter
	// was left in place.
	DeadConflict DeadStatus = "conflict"
)

// Changed returns the ids that a bulk call was applied to, each once, in the order
// of its results.
func Changed(results []DeadResult) (ids []string) {
	seen := make(map[string]bool, len(results))
	for _, r := range results {
		if r.Status == DeadApplied && !seen[r.ID] {
			seen[r.ID] = true
			ids = append(ids, r.ID)
		}
	}
	return ids
}
