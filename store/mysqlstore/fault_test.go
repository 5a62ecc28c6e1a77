package mysqlstore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/go-sql-driver/mysql"

	"github.com/sendoff-go/outbox/store/sqlstore"
)

func TestErrorsAreToldApartByTheirNumber(t *testing.T) {
	number := func(n uint16) error { return &mysql.MySQLError{Number: n, Message: "text"} }
	for _, tt := range []struct {
		name     string
		err      error
		fault    sqlstore.Fault
		answered bool
	}{
		{"a deadlock", number(1213), sqlstore.FaultConflict, true},
		{"one that is wrapped", fmt.Errorf("orm: %w", number(1213)), sqlstore.FaultConflict, true},
		{"one of several", errors.Join(io.ErrNoProgress, fmt.Errorf("orm: %w", number(1205))), sqlstore.FaultLocked, true},
		{"a limit of the user's", number(3024), sqlstore.FaultLimit, true},
		{"one of which only the text is left", errors.New("Error 1213 (40001): Deadlock found"), sqlstore.FaultConflict, true},
		{"a text of an older driver", errors.New("Error 1062: Duplicate entry"), sqlstore.FaultDuplicate, true},
		{"a race of a replay", raced{number(1062)}, sqlstore.FaultConflict, true},
		{"a column that no table has", fmt.Errorf("migrate: %w", &mysql.MySQLError{Number: 1264, Message: "Out of range value for column 'columns' at row 167"}), sqlstore.FaultConflict, true},
		{"a value that is too large", &mysql.MySQLError{Number: 1264, Message: "Out of range value for column 'attempts' at row 1"}, sqlstore.FaultOther, true},
		{"a write conflict of TiDB", number(9007), sqlstore.FaultConflict, true},
		{"a lock of TiDB's that many want", &mysql.MySQLError{Number: 1105, Message: "lock wait timeout"}, sqlstore.FaultLocked, true},
		{"a lock of TiDB's that too many want", &mysql.MySQLError{Number: 1105, Message: "pessimistic lock retry limit reached"}, sqlstore.FaultLocked, true},
		{"an unknown error", number(1105), sqlstore.FaultOther, true},
		{"a missing table", number(1146), sqlstore.FaultMissing, true},
		{"a replica", number(1290), sqlstore.FaultReadOnly, true},
		{"a shutdown", number(1053), sqlstore.FaultLost, true},
		{"a mistake in a statement", number(1064), sqlstore.FaultOther, true},
		{"a broken connection", mysql.ErrInvalidConn, sqlstore.FaultLost, true},
		{"a packet that was not sent", fmt.Errorf("orm: %w", mysql.ErrPktTooLarge), sqlstore.FaultOther, false},
		{"the end of a stream", io.ErrUnexpectedEOF, sqlstore.FaultLost, false},
		{"a deadline", context.DeadlineExceeded, sqlstore.FaultLost, false},
		{"something else", errors.New("Error of ours"), sqlstore.FaultLost, false},
	} {
		if got := fault(tt.err); got != tt.fault {
			t.Errorf("%s is fault %d, expected %d", tt.name, got, tt.fault)
		}
		if got := answered(tt.err); got != tt.answered {
			t.Errorf("%s is an answer: %t, expected %t", tt.name, got, tt.answered)
		}
	}
}
