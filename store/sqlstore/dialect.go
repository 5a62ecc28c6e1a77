package sqlstore

import (
	"context"
	"database/sql"
	"io/fs"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// Dialect is everything that a database does in its own way. It is an immutable
// value that a dialect's package provides.
type Dialect struct {
	// Name is the database's common name.
	Name string
	// SQL has sql/*.sql, the [Queries], and migrations/*.sql.
	SQL fs.FS

	// DefaultSchema qualifies the tables where the configuration names no
	// schema; "" leaves them unqualified.
	DefaultSchema string
	// NoSchemas refuses a configured schema.
	NoSchemas bool
	// Quote turns any name into an identifier. Text is the content of a string
	// that names a table to the database's catalog.
	Quote func(name string) string
	Text  func(schema, table string) string
	// Positional says that the driver knows only "?": the parameters ?1, ?2 of
	// the files are then put into their order of use.
	Positional bool

	// Isolation is the isolation level of the relay's transactions.
	Isolation sql.IsolationLevel
	// Begin are statements that begin a transaction of the relay, at its isolation,
	// in place of Isolation. COMMIT and ROLLBACK are then sent as statements too, for
	// a driver that ends a statement with its context, and those of database/sql not.
	// Nil: database/sql begins and ends transactions.
	Begin []string
	// Resolution is what a stored time is rounded to.
	Resolution time.Duration
	// Time turns a time into an argument. The zero time sorts before all
	// others.
	Time func(time.Time) any
	// Bind turns a batch into arguments, which come before all others.
	Bind func(b Batch) ([]any, error)
	// Spelled says that batches stand in the text of a statement instead, for
	// databases that cannot read an argument as a table.
	Spelled bool
	// NoSkip says that the database has no SKIP LOCKED: statements are sent with
	// NOWAIT in its place.
	NoSkip bool
	// ChecksJSON says that the database rejects invalid JSON.
	ChecksJSON bool
	// LaneByLane says that no statement can skip from lane to lane. Then
	// lanes.sql also takes how many rows to read and finds the lanes among
	// those, and stats_lanes.sql and group_count.sql, which take one lane or
	// group instead of many, are queries that UNION ALL can join.
	LaneByLane bool
	// KeyIsID says that the key of the event table is the id, and not seq:
	// events are listed in its order.
	KeyIsID bool
	// HidesTables says that the catalog shows a user only the tables that it has
	// rights to, and that a failed query leaves its transaction usable.
	HidesTables bool
	// Fault classifies an error of the driver.
	Fault func(error) Fault
	// Detail is what a FaultDuplicate error says about the key. Nil: its text.
	Detail func(error) string
	// Embedded says that the database lives in this process: its connections
	// cannot be lost, and closing one may end a database in memory.
	Embedded bool
	// CheckPool, if any, says what keeps a pool of several connections from
	// working, and what to do about it. It must return nil where it cannot tell.
	CheckPool func(ctx context.Context, db *sql.DB) error
	// ConflictAdvice, if any, is for a caller whose own transaction ran into a
	// conflict.
	ConflictAdvice string
	// Answer tells an error of the database or its driver from any other.
	// Nil: by the standard library's errors alone.
	Answer func(error) bool
	// Advice says what to do about an error that is not one of the faults; ""
	// or a nil function: no advice.
	Advice func(error) string

	// Insert, Claim, Settle and Replay are the strategies; this package has
	// those that the dialects use.
	Insert func(ctx context.Context, s *Session, q Query, rows Batch, headStart time.Duration) ([]InsertedRow, error)
	Claim  func(ctx context.Context, s *Session, req driver.ClaimRequest) ([]driver.Claimed, error)
	Settle []SettleStep
	Replay func(ctx context.Context, s *Session, keys []driver.DeadKey) ([]Grave, error)

	// Notify makes the arguments of notify.sql, where there is one.
	Notify func(schema, table string, lanes []string) []any

	// AdoptLocks says, in words, who waits while an event table is adopted.
	AdoptLocks string

	// Probe is a statement that answers with one text, by which Knows
	// recognises the database.
	Probe string
	Knows func(answer string) bool
}
