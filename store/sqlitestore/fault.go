package sqlitestore

import (
	"errors"
	"reflect"
	"strings"

	"github.com/sendoff-go/outbox/store/sqlstore"
)

// SQLite's result codes; the higher bits of a code say more.
const (
	codeError      = 1
	codeBusy       = 5
	codeLocked     = 6
	codeReadOnly   = 8
	codeInterrupt  = 9
	codeIOError    = 10
	codeFull       = 13
	codeCannotOpen = 14
	codeProtocol   = 15
	codeConstraint = 19

	codeUnique     = codeConstraint | 8<<8
	codePrimaryKey = codeConstraint | 6<<8
)

// fault asks for the result code, and parses the message, which comes from SQLite
// itself, if the driver tells none.
func fault(err error) sqlstore.Fault {
	code, found := resultCode(err)
	switch {
	case !found:
		return faultOfText(err.Error())
	case code == codeUnique || code == codePrimaryKey:
		return sqlstore.FaultDuplicate
	case code&0xff == codeBusy || code&0xff == codeLocked || code&0xff == codeProtocol:
		return sqlstore.FaultConflict
	case code&0xff == codeInterrupt || code&0xff == codeIOError || code&0xff == codeFull || code&0xff == codeCannotOpen:
		return sqlstore.FaultLost
	case code&0xff == codeReadOnly:
		return sqlstore.FaultReadOnly
	case code&0xff == codeError && missing(err.Error()):
		return sqlstore.FaultMissing
	}
	return sqlstore.FaultOther
}

func faultOfText(text string) sqlstore.Fault {
	switch {
	case strings.Contains(text, "UNIQUE constraint failed"):
		return sqlstore.FaultDuplicate
	case strings.Contains(text, "database is locked"), strings.Contains(text, "table is locked"):
		return sqlstore.FaultConflict
	case missing(text):
		return sqlstore.FaultMissing
	case strings.Contains(text, "readonly database"):
		return sqlstore.FaultReadOnly
	}
	return sqlstore.FaultLost
}

func missing(text string) bool {
	return strings.Contains(text, "no such table") || strings.Contains(text, "no such column") ||
		strings.Contains(text, "has no column")
}

func answered(err error) bool {
	_, found := resultCode(err)
	return found
}

// resultCode is the extended result code of SQLite. One driver has a method for it,
// another has it in a field. This package depends on neither, so it looks for both
// by name.
func resultCode(err error) (code int, found bool) {
	var coded interface{ Code() int }
	if errors.As(err, &coded) {
		return coded.Code(), true
	}
	if v := reflect.Indirect(reflect.ValueOf(err)); v.Kind() == reflect.Struct {
		if f := v.FieldByName("ExtendedCode"); f.IsValid() && f.CanInt() {
			return int(f.Int()), true
		}
	}
	switch wrapper := err.(type) { //nolint:errorlint // this is the walk that errors.As does
	case interface{ Unwrap() error }:
		return resultCode(wrapper.Unwrap())
	case interface{ Unwrap() []error }:
		for _, err := range wrapper.Unwrap() {
			if code, found := resultCode(err); found {
				return code, true
			}
		}
	}
	return 0, false
}
