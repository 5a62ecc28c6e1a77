package pgxstore

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/sendoff-go/outbox"
)

// fault is what an error of the driver means.
type fault int

const (
	faultOther     fault = iota // sending it again would not help
	faultLost                   // no answer came, or the connection ended with it
	faultConflict               // rolled back because of others; to be sent again
	faultLocked                 // somebody has locked a row, or the table, for too long
	faultReadOnly               // the server behind this connection became a replica
	faultDuplicate              // a key exists already
	faultMissing                // a table or column does not exist
	faultStatement              // a named prepared statement is not there, or twice
)

// errBegin marks what failed before the transaction was known to have begun.
type errBegin struct{ error }

func (e errBegin) Unwrap() error { return e.error }

// errOurs is an error that this package found, not the driver.
type errOurs struct{ error }

func (e errOurs) Unwrap() error { return e.error }

// faultOf classifies any error that may come out of a call. What neither this
// package nor the server said is a lost answer: the least that can be known.
func faultOf(err error) fault {
	var answer *pgconn.PgError
	switch {
	case errors.As(err, new(errOurs)):
		return faultOther
	case errors.As(err, new(*pgconn.ConnectError)), !errors.As(err, &answer), fatal(answer):
		return faultLost
	}
	return faultOfState(answer)
}

// fatal tells that the server, or a pooler in its place, ended the session.
func fatal(e *pgconn.PgError) bool {
	return e.SeverityUnlocalized == "FATAL" || e.SeverityUnlocalized == "PANIC" ||
		e.SeverityUnlocalized == "" && (e.Severity == "FATAL" || e.Severity == "PANIC")
}

// class is what the first two characters of a state stand for.
func class(e *pgconn.PgError) string { return e.Code[:min(2, len(e.Code))] }

func faultOfState(e *pgconn.PgError) fault {
	switch e.Code {
	case "40001", "40P01": // serialization failure, deadlock
		return faultConflict
	case "55P03": // lock timeout
		return faultLocked
	case "25006": // read-only transaction
		return faultReadOnly
	case "23505": // unique violation
		return faultDuplicate
	case "42P01", "42703", "3F000": // no such table, column, schema
		return faultMissing
	case "26000", "42P05": // no such prepared statement, or one too many
		return faultStatement
	case "0A000":
		if e.Routine == "RevalidateCachedQuery" { // the tables changed; pgx prepares anew
			return faultConflict
		}
	case "57014", // cancelled by a person: the limits are those of the call, which ends before
		"57P01", "57P02", "57P03", "57P05": // the server or this session ends
		return faultLost
	}
	switch class(e) {
	case "08", "53", "58", "XX": // connection, resources, system, internal
		return faultLost
	}
	return faultOther
}

// repeatable tells what is worth sending again at once.
func repeatable(err error) bool {
	switch faultOf(err) {
	case faultConflict, faultReadOnly:
		return true
	case faultLost:
		return neverBegan(err)
	}
	return false
}

// neverBegan tells that a pooled connection had died unnoticed: nothing was
// sent, or the server's parting words were all that came back.
func neverBegan(err error) bool {
	if !errors.As(err, new(errBegin)) {
		return false
	}
	var answer *pgconn.PgError
	if errors.As(err, &answer) {
		return answer.Code == "57P01" || answer.Code == "57P05"
	}
	return unsent(err)
}

// unsent tells that the server got nothing. Pgx says so, too, of a connection
// that it found closed only while it waited for the answer.
func unsent(err error) bool {
	return pgconn.SafeToRetry(err) && !errors.Is(err, pgconn.ErrConnClosed)
}

// refused tells that the server is there and lets nobody in by that name.
func refused(err error) bool {
	var answer *pgconn.PgError
	if !errors.As(err, &answer) {
		return false
	}
	switch answer.Code {
	case "28P01", "28000", "3D000": // wrong password, no such user or not from here, no such database
		return true
	}
	return false
}

const (
	adviceMigrate = "run `outbox migrate up`, or Migrate of the store"
	adviceMode    = "a pooler keeps no prepared statements: add default_query_exec_mode=exec to the pool's URL"
)

// wrap says which call failed, what kind of error it is and what to do. Ctx is
// the caller's: if it has ended, the database is not to blame.
func wrap(ctx context.Context, what string, err error) error {
	if ended := ctx.Err(); ended != nil && !errors.Is(err, ended) {
		return fmt.Errorf("outbox: %s: %w: %w", what, ended, err)
	} else if ended != nil {
		return fmt.Errorf("outbox: %s: %w", what, err)
	}
	if refused(err) {
		return fmt.Errorf("%w: %s: %w", outbox.ErrStoreLogin, what, err)
	}
	switch faultOf(err) {
	case faultLost, faultReadOnly, faultConflict, faultLocked:
		return fmt.Errorf("%w: %s: %w", outbox.ErrStoreDown, what, err)
	case faultMissing:
		return fmt.Errorf("%w: %s: %s: %w", outbox.ErrSchema, what, adviceMigrate, err)
	case faultStatement:
		return fmt.Errorf("outbox: %s: %s: %w", what, adviceMode, err)
	}
	return fmt.Errorf("outbox: %s: %w", what, err)
}
