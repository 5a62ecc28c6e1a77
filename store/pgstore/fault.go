package pgstore

import (
	"errors"
	"reflect"

	"github.com/sendoff-go/outbox/store/sqlstore"
)

// fault reads the SQLSTATE, which both drivers give under the same name. An
// error without one does not come from the server.
func fault(err error) sqlstore.Fault {
	var answer interface{ SQLState() string }
	if !errors.As(err, &answer) {
		return sqlstore.FaultLost
	}
	state := answer.SQLState()
	switch state {
	case "40001", "40P01": // serialization failure, deadlock
		return sqlstore.FaultConflict
	case "55P03": // lock timeout
		return sqlstore.FaultLocked
	case "57014", "25P03", "25P04": // cancelled, as by a timeout; idle, or a transaction, for too long
		return sqlstore.FaultLimit
	case "25006": // read-only transaction
		return sqlstore.FaultReadOnly
	case "23505": // unique violation
		return sqlstore.FaultDuplicate
	case "42P01", "42703", "3F000": // no such table, column, schema
		return sqlstore.FaultMissing
	case "57P01", "57P02", "57P03", "57P05": // the server or this session ends
		return sqlstore.FaultLost
	case "3D000", "28P01", "28000": // no such database; wrong password; no such user, or not from here
		return sqlstore.FaultLogin
	}
	switch state[:min(2, len(state))] {
	case "08", "53", "58", "XX": // connection, resources, system, internal
		return sqlstore.FaultLost
	}
	return sqlstore.FaultOther
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

// answered also knows pgx's own errors, which all can say whether anything was
// sent. What they say of a connection that closed under COMMIT is not asked: it
// is that nothing was, also when the answer alone is missing.
func answered(err error) bool {
	var answer interface{ SQLState() string }
	var client interface{ SafeToRetry() bool }
	return errors.As(err, &answer) || errors.As(err, &client)
}
