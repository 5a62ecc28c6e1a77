package pgxstore

import (
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/sendoff-go/outbox/store/sqlstore"
)

// faults adds what the state alone does not tell. What the server did not say is
// a lost answer: the least that can be known.
func faults(ofState func(error) sqlstore.Fault) func(error) sqlstore.Fault {
	return func(err error) sqlstore.Fault {
		var answer *pgconn.PgError
		said := errors.As(err, &answer)
		switch {
		case errors.Is(err, pgx.ErrTxClosed):
			return sqlstore.FaultEnded
		case said && ofState(answer) == sqlstore.FaultLogin: // which ends the session, too
			return sqlstore.FaultLogin
		case errors.As(err, new(*pgconn.ConnectError)), !said, fatal(answer):
			return sqlstore.FaultLost
		case answer.Code == "0A000" && answer.Routine == "RevalidateCachedQuery": // the tables changed; pgx prepares anew
			return sqlstore.FaultConflict
		}
		return ofState(answer)
	}
}

// fatal tells that the server, or a pooler in its place, ended the session.
func fatal(e *pgconn.PgError) bool {
	return e.SeverityUnlocalized == "FATAL" || e.SeverityUnlocalized == "PANIC" ||
		e.SeverityUnlocalized == "" && (e.Severity == "FATAL" || e.Severity == "PANIC")
}

// neverBegan tells that a pooled connection had died unnoticed: nothing was
// sent, or the server's parting words were all that came back. It is asked of
// what came before the answer to BEGIN, with which other statements travelled.
func neverBegan(err error) bool {
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
