package pgstore

import (
	"errors"
	"reflect"

	"github.com/sendoff-go/outbox/store/sqlstore"
)

// states are the SQLSTATEs that mean more than a failed statement.
var states = map[string]sqlstore.Fault{
	"40001": sqlstore.FaultConflict,  // serialization failure
	"40P01": sqlstore.FaultConflict,  // deadlock
	"40003": sqlstore.FaultLost,      // statement completion unknown
	"55P03": sqlstore.FaultLocked,    // lock timeout
	"57014": sqlstore.FaultLimit,     // cancelled, as by a timeout
	"25P03": sqlstore.FaultLimit,     // idle in a transaction for too long
	"25P04": sqlstore.FaultLimit,     // a transaction for too long
	"25006": sqlstore.FaultReadOnly,  // read-only transaction
	"23505": sqlstore.FaultDuplicate, // unique violation
	"42P01": sqlstore.FaultMissing,   // no such table
	"42703": sqlstore.FaultMissing,   // no such column
	"3F000": sqlstore.FaultMissing,   // no such schema
	"57P01": sqlstore.FaultLost,      // an administrator ends the session
	"57P02": sqlstore.FaultLost,      // the server crashes
	"57P03": sqlstore.FaultLost,      // the server does not accept sessions now
	"57P05": sqlstore.FaultLost,      // idle for too long
	"3D000": sqlstore.FaultLogin,     // no such database
	"28P01": sqlstore.FaultLogin,     // wrong password
	"28000": sqlstore.FaultLogin,     // no such user, or not allowed from this host
}

// classes are keyed by the first two characters of a state.
var classes = map[string]sqlstore.Fault{
	"08": sqlstore.FaultLost, // connection
	"53": sqlstore.FaultLost, // resources
	"58": sqlstore.FaultLost, // system
	"XX": sqlstore.FaultLost, // internal
}

// fault reads the SQLSTATE. An error without one does not come from the server.
func fault(err error) sqlstore.Fault {
	state, ok := stateOf(err)
	if !ok {
		return sqlstore.FaultLost
	}
	if f, ok := states[state]; ok {
		return f
	}
	return classes[state[:min(2, len(state))]] // or FaultOther
}

// stateOf finds the SQLSTATE, which all drivers give under the same name.
func stateOf(err error) (state string, ok bool) {
	var answer interface{ SQLState() string }
	if !errors.As(err, &answer) {
		return "", false
	}
	return answer.SQLState(), true
}

// advice knows what a pooler does to prepared statements.
func advice(err error) string {
	switch state, _ := stateOf(err); state {
	case "26000", "42P05": // no such prepared statement, or one too many
		return "a pooler keeps no prepared statements: with pgx, add default_query_exec_mode=exec to the URL"
	}
	return ""
}

// detail is in a field of that name in the errors of both drivers, which this
// package does not import. It is not part of their texts.
func detail(err error) string {
	var answer interface{ SQLState() string }
	if !errors.As(err, &answer) {
		return ""
	}
	v := reflect.Indirect(reflect.ValueOf(answer))
	if v.Kind() != reflect.Struct {
		return ""
	}
	if field := v.FieldByName("Detail"); field.IsValid() && field.Kind() == reflect.String {
		return field.String()
	}
	return ""
}

// answered also knows pgx's own errors, which can say whether anything was
// sent. It does not ask them about a connection that closed during COMMIT: they
// say that nothing was sent, even if only the answer was lost.
func answered(err error) bool {
	_, ok := stateOf(err)
	var client interface{ SafeToRetry() bool }
	return ok || errors.As(err, &client)
}
