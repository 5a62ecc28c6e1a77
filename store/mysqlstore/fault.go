package mysqlstore

import (
	"errors"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/sendoff-go/outbox/store/sqlstore"
)

// faults are the server errors that the statement itself did not cause, by
// number.
var faults = map[int]sqlstore.Fault{
	1213: sqlstore.FaultConflict, // deadlock
	1020: sqlstore.FaultConflict, // record has changed since it was read (MariaDB)
	1412: sqlstore.FaultConflict, // table definition has changed
	1615: sqlstore.FaultConflict, // prepared statement needs to be re-prepared
	3101: sqlstore.FaultConflict, // rolled back by a group's certification
	8002: sqlstore.FaultConflict, // write conflict of a locking read (TiDB)
	8005: sqlstore.FaultConflict, // write conflict (TiDB)
	8022: sqlstore.FaultConflict, // commit failed, to be retried (TiDB)
	8028: sqlstore.FaultConflict, // table definition has changed (TiDB)
	8021: sqlstore.FaultConflict, // index and rows differ while a commit goes on (TiDB's embedded store)
	8133: sqlstore.FaultConflict,
	9004: sqlstore.FaultConflict, // too many transactions want the same rows (TiDB)
	9006: sqlstore.FaultConflict, // what it read was collected meanwhile (TiDB)
	9007: sqlstore.FaultConflict, // write conflict (TiDB)

	1205: sqlstore.FaultLocked, // lock wait timeout
	3572: sqlstore.FaultLocked, // NOWAIT

	1969: sqlstore.FaultLimit, // statement timeout (MariaDB)
	3024: sqlstore.FaultLimit, // statement timeout

	1290: sqlstore.FaultReadOnly, // --read-only
	1792: sqlstore.FaultReadOnly, // read-only transaction
	1836: sqlstore.FaultReadOnly, // read-only mode

	1062: sqlstore.FaultDuplicate,
	1586: sqlstore.FaultDuplicate,

	1054: sqlstore.FaultMissing, // no such column
	1146: sqlstore.FaultMissing, // table
	1932: sqlstore.FaultMissing, // table in the engine

	1044: sqlstore.FaultLogin, // no right to the database
	1045: sqlstore.FaultLogin, // wrong user or password
	1049: sqlstore.FaultLogin, // no such database

	1037: sqlstore.FaultLost, // out of memory
	1040: sqlstore.FaultLost, // too many connections
	1041: sqlstore.FaultLost, // out of resources
	1047: sqlstore.FaultLost, // node of a cluster is not ready
	1053: sqlstore.FaultLost, // shutdown
	1077: sqlstore.FaultLost,
	1078: sqlstore.FaultLost,
	1079: sqlstore.FaultLost,
	1080: sqlstore.FaultLost, // connection closed by force
	1114: sqlstore.FaultLost, // table is full
	1129: sqlstore.FaultLost, // host is blocked
	1152: sqlstore.FaultLost, // aborted connection
	1158: sqlstore.FaultLost, // errors of the network
	1159: sqlstore.FaultLost,
	1160: sqlstore.FaultLost,
	1161: sqlstore.FaultLost,
	1180: sqlstore.FaultLost, // error during COMMIT
	1184: sqlstore.FaultLost, // aborted connection
	1203: sqlstore.FaultLost, // too many connections of the user
	1226: sqlstore.FaultLost, // resource limit of the user
	1317: sqlstore.FaultLost, // killed
	1927: sqlstore.FaultLost, // connection killed (MariaDB)
	3169: sqlstore.FaultLost, // session killed
	4031: sqlstore.FaultLost, // disconnected for inactivity
	8027: sqlstore.FaultLost, // the node lost its lease of the schema (TiDB)
	9001: sqlstore.FaultLost, // nodes that do not answer or are too busy (TiDB)
	9002: sqlstore.FaultLost,
	9003: sqlstore.FaultLost,
	9005: sqlstore.FaultLost,
}

// strayColumn is how MySQL 8.0.15 fails, once in twenty times, an ALTER TABLE
// right after a table with a foreign key to it was dropped. Neither table has a
// column of that name. Nothing is changed, and the next try succeeds.
const strayColumn = "Out of range value for column 'columns'"

// lockWaits are how TiDB fails a GET_LOCK, with the number of unknown errors, while
// many sessions want the lock.
var lockWaits = []string{"lock wait timeout", "pessimistic lock retry limit reached"}

// fault classifies by the server's error number. An error without one does not
// come from the server.
func fault(err error) sqlstore.Fault {
	if errors.As(err, new(raced)) {
		return sqlstore.FaultConflict
	}
	if number, found := serverError(err); found {
		if number == 1264 && strings.Contains(err.Error(), strayColumn) {
			return sqlstore.FaultConflict
		}
		if number == 1105 && slices.ContainsFunc(lockWaits, func(text string) bool { return strings.Contains(err.Error(), text) }) {
			return sqlstore.FaultLocked
		}
		return faults[number] // FaultOther if not listed
	}
	if isDriverError(err, "packet for query is too large") {
		return sqlstore.FaultOther // and never sent
	}
	return sqlstore.FaultLost
}

// answered tells an error of the server or the driver from any other.
func answered(err error) bool {
	_, found := serverError(err)
	return found || isDriverError(err, "invalid connection", "malformed packet", "busy buffer", "commands out of sync")
}

// isDriverError compares with the texts of go-sql-driver/mysql's own errors,
// which are at the root of a chain.
func isDriverError(err error, texts ...string) bool {
	for next := err; next != nil; next = errors.Unwrap(next) {
		err = next
	}
	return slices.ContainsFunc(texts, func(text string) bool { return strings.HasPrefix(err.Error(), text) })
}

// numberText is how go-sql-driver/mysql begins its messages: Error 1213 (40001):
var numberText = regexp.MustCompile(`^Error (\d+)[ :]`)

// serverError is the number of a server's error. Drivers keep it in a field
// without a method for it. This package depends on no driver, so it looks for
// the field by name, and parses the message if there is none.
func serverError(err error) (number int, found bool) {
	if v := reflect.Indirect(reflect.ValueOf(err)); v.Kind() == reflect.Struct {
		if f := v.FieldByName("Number"); f.IsValid() && f.CanUint() {
			return int(f.Uint()), true
		}
	}
	switch wrapper := err.(type) { //nolint:errorlint // this is the walk that errors.As does
	case interface{ Unwrap() error }:
		return serverError(wrapper.Unwrap())
	case interface{ Unwrap() []error }:
		for _, err := range wrapper.Unwrap() {
			if number, found := serverError(err); found {
				return number, true
			}
		}
	case error:
		if m := numberText.FindStringSubmatch(err.Error()); m != nil {
			number, err := strconv.Atoi(m[1])
			return number, err == nil
		}
	}
	return 0, false
}
