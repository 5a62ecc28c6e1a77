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
// All times are the database's own clock. Every method is safe for concurrent
// use, and every one may be sent again after an error: what a repetition
// finds already done, it leaves as it is and reports.
//
// An error that wraps [outbox.ErrStoreDown] says that the database is unavailable, or
// that what became of the call is unknown: send it again. A [LockedError] is
// part of an answer; see Renew and Settle. Any other error that is not the
// context's says that the call was refused, and nothing of it was applied.
//
// Every method ends within a time of the store's own, whatever the database is
// busy with, and means the same whatever limits an administrator has set on
// waiting, statements and transactions.
//
// Somebody may have locked rows: a person who changed one and has not committed.
// No call waits for such a row for longer than about a second, and none lets it
// keep other rows from being dealt with.
type Store interface {
	// Claim takes due rows for req.Owner, at most what each want allows, and
	// returns them in (lane, available_at, seq) order. Fewer rows than wanted
	// does not mean that none are left. No row may be used before the claim
	// is committed. Rows that another session has locked are left out, without
	// waiting for them.
	Claim(ctx context.Context, req ClaimRequest) ([]Claimed, error)

	// Take claims rows by name that were written with a head start and have
	// no owner (claim number 0); the head start itself does not stand in the
	// way. It returns the new claims of those it got. Rows that another session
	// has locked are left out, without waiting for them.
	Take(ctx context.Context, owner Owner, lease time.Duration, rows []Held) ([]Held, error)

	// Renew extends the lease of what is held to now plus lease, and returns
	// what is held no longer.
	//
	// A row that another session keeps locked for longer than the store waits,
	// about a second, stays as it is, and all others are renewed. Then lost is
	// about those others alone, and valid although err is not nil: err is a
	// [*LockedError] that names the locked rows, each once.
	Renew(ctx context.Context, owner Owner, lease time.Duration, rows []Renewal) (lost []Held, err error)

	// Settle applies outcomes, each under its fence, in one transaction, and
	// returns those whose claim was no longer held: they changed nothing.
	// With keepDone false, rows that are done are deleted.
	//
	// Rows that another session has locked are left out as by Renew: stale is
	// about the others alone, which are settled, and err is a [*LockedError]
	// that names the locked ones, each once.
	Settle(ctx context.Context, owner Owner, outcomes []Outcome, keepDone bool) (stale []Held, err error)

	// Confirm returns those rows that exist as the hot path believes:
	// committed, pending, without an owner, claim number 0. It takes no lock
	// and waits for none.
	Confirm(ctx context.Context, rows []Held) ([]Held, error)

	// Lanes lists the lanes that have pending rows, with the age of their
	// earliest one, at most limit of them, in byte order of the name after
	// the given one ("" for the first). Its cost depends on the number of
	// lanes, not of rows. It takes no lock and waits for none.
	Lanes(ctx context.Context, after string, limit int) ([]WaitingLane, error)

	// Sweep deletes at most limit rows that were done longer than age ago,
	// and returns how many. It returns 0 without waiting while another
	// instance sweeps.
	Sweep(ctx context.Context, age time.Duration, limit int) (int, error)
}

// ClaimRequest says who claims, for how long, and how much of which lanes.
type ClaimRequest struct {
	Owner Owner
	Lease time.Duration
	Wants []Want
}

// Want is how much of one lane a relay has room for.
type Want struct {
	Lane string
	Rows int
	// Bytes bounds the payloads of the rows together; the first row is
	// returned whatever its size. Zero: no bound.
	Bytes int
	// After is where the lane was read up to. The claim starts there; the
	// zero value starts at the head. It is for speed alone.
	After Position
}

// Position is a place in a lane: the pair by which its rows are ordered.
type Position struct {
	AvailableAt time.Time
	Seq         int64
}

// Held names one claim of one row. A row is held under the number that its
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

// NoAttempts as [Renewal.Attempts] takes back what a suspect's run had written.
const NoAttempts = -1

// Claimed is one claimed row.
type Claimed struct {
	Held
	Event outbox.Event
	// Attempts is the number of failed attempts so far.
	Attempts int
	// Recovered counts the claims in a row whose owners went away.
	Recovered int
	CreatedAt time.Time
	Position  Position
	// Failures is the stored list of earlier failures, possibly empty.
	Failures json.RawMessage
	// Token is what the store wants to see again in the [Outcome], in terms of
	// its own; 0: nothing. It is for speed alone.
	Token uint64
	// Problem, if not nil, says why the row cannot be delivered as it is
	// (headers or payload that cannot be read). It is to be settled as dead.
	Problem error
}

// WaitingLane is a lane with pending rows.
type WaitingLane struct {
	Lane string
	// Age is how long ago the earliest pending row was due; negative while
	// it is not due yet.
	Age time.Duration
}
