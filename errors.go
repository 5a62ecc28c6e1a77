package outbox

import (
	"errors"
	"unicode/utf8"
)

// Errors of the write side.
var (
	// ErrInvalidEvent: the event breaks a limit; nothing was sent to the
	// database, and the transaction is as it was.
	ErrInvalidEvent = errors.New("outbox: invalid event")
	// ErrNoTransaction: the transaction is nil, or was committed or rolled
	// back before. Begin one, write, then commit.
	ErrNoTransaction = errors.New("outbox: no open transaction")
	// ErrDuplicateID: an event of that id is stored already. On PostgreSQL the
	// transaction can now only be rolled back; use WriteIfAbsent where a
	// repetition is to be expected.
	ErrDuplicateID = errors.New("outbox: event id exists already")
	// ErrUnknownType: the writer was told which types exist, and this is none.
	ErrUnknownType = errors.New("outbox: unknown event type")
	// ErrRolledBack tells the done of [Writer.Track] that the transaction was
	// rolled back, where no other error does.
	ErrRolledBack = errors.New("outbox: rolled back")
	// ErrCommitUnknown: the answer to COMMIT was lost. The transaction, and
	// its events, may or may not exist; if they do, they are delivered.
	ErrCommitUnknown = errors.New("outbox: outcome of the commit is unknown")
)

// Errors of stores.
var (
	// ErrSchema: the tables are missing or of another version. Run
	// `outbox migrate up`, or Migrate of the store.
	ErrSchema = errors.New("outbox: database schema")
	// ErrStoreDown: the database did not answer. The statement may or may not
	// have been carried out; sending it again is safe.
	ErrStoreDown = errors.New("outbox: database unavailable")
	// ErrName: a table or schema name is not made of letters, digits and
	// underscores.
	ErrName = errors.New("outbox: invalid table name")
)

// Errors of routing.
var (
	// ErrRegistry: registrations contradict each other.
	ErrRegistry = errors.New("outbox: registry")
	// ErrUnroutable: no listener and no route for the event.
	ErrUnroutable = errors.New("outbox: no listener or route for the event")
)

// Skip is returned by a [WriteHook]'s BeforeWrite to leave an event unwritten
// without an error.
var Skip = errors.New("outbox: skip this event")

// ErrorText is what a store keeps of an error: its text, cut at 4000
// characters, valid UTF-8 and free of NUL.
func ErrorText(err error) string {
	if err == nil {
		return ""
	}
	return CleanText(err.Error(), MaxErrorLength)
}

// CleanText makes s storable in any database: invalid UTF-8 and NUL are
// replaced by U+FFFD, and what exceeds limit characters is cut.
func CleanText(s string, limit int) string {
	clean := true
	for i, r := range s {
		if r == 0 || r == utf8.RuneError || i >= limit {
			clean = false
			break
		}
	}
	if clean {
		return s
	}
	out, n := make([]rune, 0, min(len(s), limit)), 0
	for _, r := range s {
		if n == limit {
			break
		}
		if r == 0 {
			r = utf8.RuneError
		}
		out, n = append(out, r), n+1
	}
	return string(out)
}

// cutString cuts s at limit bytes, at a rune boundary.
func cutString(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}
