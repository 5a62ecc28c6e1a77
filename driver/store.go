package driver

import (
	"context"
	"encoding/json"
	"time"

	"github.com/sendoff-go/outbox"
)

// Store is the relay's half of a store: claim, hold, settle, sweep. A driver is
// whatever passes package storetest, which states each duty as a test.
//
// All times are by the database's own clock. Every method is safe for
// concurrent use and may be repeated after an error: a repetition leaves what
// is already done as it is, and reports it.
//
// An error that wraps [outbox.ErrStoreDown] means that the database is
// unavailable, or that the result of the call is unknown: call again. A
// [LockedError] is part of a result; see Renew and Settle. Any other error that
// is not the context's means that the call was refused and nothing was applied:
// a right is missing, for example, or a constraint forbids the change. A relay
// waits for a database that is down; it reports a refusal.
//
// Every method returns within the store's own time limit, whatever the database
// is busy with and even if it never answers, be it to a COMMIT, and behaves the
// same whatever timeouts an administrator has set for locks, statements and
// transactions. A call that the store ends for its time fails with an error that
// wraps both [outbox.ErrStoreDown] and [context.DeadlineExceeded].
//
// The relay sends Take and Renew with a deadline of a third of the lease, and
// Confirm with one of a third of the head start: 5 s and 1.7 s by default. All
// other calls are sent without one, and end by the store's own limit; those of
// this module allow 5 s by default, and a sweep 30 s. If the context ends first,
// the call returns soon, with the context's error.
//
// Another session may have locked rows, such as that of a person who changed
// one and has not committed. No call waits longer than about a second for such
// a row, or two where the database counts whole seconds, nor longer than a third
// of the time that is left to it if the database can measure that; and none lets
// it delay other rows. So the answer to a call that meets a locked row comes
// within the deadline of a relay with the default lease; package storetest allows
// ten seconds.
//
// Another session may also have locked a whole table, to change it for example.
// Then there is no row to name. A call waits for the table until its time is
// over, or gives up earlier, with the error of a call that the store ends for its
// time. If the database has no lock but one on all of it, that error need only be
// an [outbox.ErrStoreDown].
type Store interface {
	// Claim claims due rows for req.Owner, at most what each want allows, and
	// returns them in (lane, available_at, seq) order. Fewer rows than wanted
	// does not mean that none are left. No row may be used before the claim is
	// committed. Claim skips rows that another session has locked, without
	// waiting for them.
	Claim(ctx context.Context, req ClaimRequest) ([]Claimed, error)

	// Take claims rows by id that were written with a head start and have no
	// owner (claim number 0), even before their head start is over. It returns
	// the new claims of those it got. It skips rows that another session has
	// locked, without waiting for them.
	Take(ctx context.Context, owner Owner, lease time.Duration, rows []Held) ([]Held, error)

	// Renew extends the lease of rows that are held to now plus lease, and
	// returns those that are no longer held.
	//
	// A row that another session keeps locked for longer than the store waits
	// stays as it is, and all others are renewed. Then lost covers only those
	// others and is valid although err is not nil: err is a [*LockedError] that
	// names the locked rows, each once.
	Renew(ctx context.Context, owner Owner, lease time.Duration, rows []Renewal) (lost []Held, err error)

	// Settle applies outcomes, each under its fence, in one transaction, and
	// returns those whose claim was no longer held: they changed nothing.
	// With keepDone false, rows that are done are deleted.
	//
	// Rows that another session has locked are skipped as in Renew: stale
	// covers only the others, which are settled, and err is a [*LockedError]
	// that names the locked ones, each once. After an error that is a
	// [context.DeadlineExceeded] the relay sends the outcomes again in parts,
	// beside others: one of them may take too long, or need a locked table.
	Settle(ctx context.Context, owner Owner, outcomes []Outcome, keepDone bool) (stale []Held, err error)

	// Confirm returns those rows that exist as the hot path expects: committed,
	// pending, without an owner, claim number 0. It takes no lock and waits for
	// no row.
	Confirm(ctx context.Context, rows []Held) ([]Held, error)

	// Lanes lists the lanes that have pending rows, with the age of their
	// earliest one, at most limit of them, in byte order of the name after
	// the given one ("" for the first). Its cost depends on the number of
	// lanes, not of rows. It takes no lock and waits for no row.
	Lanes(ctx context.Context, after string, limit int) ([]WaitingLane, error)

	// Sweep deletes at most limit rows that were done longer than age ago, and
	// returns how many. It returns 0 without waiting while another instance
	// sweeps.
	Sweep(ctx context.Context, age time.Duration, limit int) (int, error)
}

// ClaimRequest says who claims, for how long, and how much from which lanes.
type ClaimRequest struct {
	Owner Owner
	Lease time.Duration
	Wants []Want
	// Age leaves out rows that became due less than this long ago, so that a round
	// of a relay ends, however fast others write. Zero: claim all that are due.
	Age time.Duration
}

// Want is how much of one lane a relay has room for.
type Want struct {
	Lane string
	Rows int
	// Bytes bounds the payloads of the rows together; the first row is
	// returned whatever its size. Zero: no bound.
	Bytes int
	// After is the position up to which the lane was read. The claim starts
	// there; the zero value starts at the head. It only saves time.
	After Position
	// ByTenant asks only for rows of Tenant. It is set only for a [FairStore].
	// One claim may name several tenants of a lane.
	ByTenant bool
	Tenant   string
}

// Position is a position in a lane: the pair by which its rows are ordered.
type Position struct {
	AvailableAt time.Time
	Seq         int64
}

// Held identifies one claim of one row. A row is held under the number that its
// claim returned, or under 0 by the process that wrote it with a head start.
type Held struct {
	EventID string
	Seq     int64
	ClaimNo int64
}

// Renewal extends one claim. A suspect's run first writes its attempt, in the
// same statement, so that a crash cannot lose the count.
type Renewal struct {
	Held
	// Attempts, if positive, is written as the row's number of attempts;
	// [NoAttempts] writes zero, and zero leaves the number as it is.
	Attempts int
}

// NoAttempts as [Renewal.Attempts] takes back the attempt that a suspect's run
// has written.
const NoAttempts = -1

// Claimed is one claimed row.
type Claimed struct {
	Held
	Event outbox.Event
	// Attempts is the number of failed attempts so far.
	Attempts int
	// Recovered counts consecutive claims whose owners disappeared.
	Recovered int
	CreatedAt time.Time
	Position  Position
	// Failures is the stored list of earlier failures, possibly empty.
	Failures json.RawMessage
	// Token is a value of the store's own that the relay passes back in the
	// [Outcome]; 0: none. It only saves time.
	Token uint64
	// Problem, if not nil, says why the row cannot be delivered as it is
	// (headers or payload that cannot be read). The relay settles it as dead.
	Problem error
}

// WaitingLane is a lane with pending rows.
type WaitingLane struct {
	Lane string
	// Age is how long ago the earliest pending row became due; negative while
	// it is not due yet.
	Age time.Duration
}
