package pgxstore

import (
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/sendoff-go/outbox/store/sqlstore"
)

// faults adds what the SQLSTATE alone does not say. Without an answer of the
// server it assumes a lost one, the safe case.
func faults(ofState func(error) sqlstore.Fault) func(error) sqlstore.Fault {
	return func(err error) sqlstore.Fault {
		var answer *pgconn.PgError
		said := errors.As(err, &answer)
		switch {
		case errors.Is(err, pgx.ErrTxClosed):
			return sqlstore.FaultEnded
		case said && (ofState(answer) == sqlstore.FaultLogin || ofState(answer) == sqlstore.FaultLimit): // which end the session, too
			return ofState(answer)
		case said && answer.Code == "42501" && errors.As(err, new(*pgconn.ConnectError)): // no right to connect to the database
			return sqlstore.FaultLogin
		case errors.As(err, new(*pgconn.ConnectError)), !said, fatal(answer):
			return sqlstore.FaultLost
		case answer.Code == "0A000" && answer.Routine == "RevalidateCachedQuery": // the tables changed; pgx prepares again
			return sqlstore.FaultConflict
		}
		return ofState(answer)
	}
}

// fatal reports whether the server, or a pooler in its place, ended the
// session.
func fatal(e *pgconn.PgError) bool {
	return e.SeverityUnlocalized == "FATAL" || e.SeverityUnlocalized == "PANIC" ||
		e.SeverityUnlocalized == "" && (e.Severity == "FATAL" || e.Severity == "PANIC")
}

// neverBegan reports whether a pooled connection had died unnoticed: nothing
// was sent, or only the server's shutdown message came back. It is for errors
// before the answer to BEGIN, which is sent with other statements.
func neverBegan(err error) bool {
	var answer *pgconn.PgError
	if errors.As(err, &answer) {
		return answer.Code == "57P01" || answer.Code == "57P05"
	}
	return unsent(err)
}

// unsent reports whether the server got nothing. Pgx also says so of a
// connection that it found closed only while it waited for the answer.
func unsent(err error) bool {
	return pgconn.SafeToRetry(err) && !errors.Is(err, pgconn.ErrConnClosed)
}
