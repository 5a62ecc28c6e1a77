package sqlitestore

import (
	"errors"
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

// fault asks for the result code if the driver has a method for it, and
// otherwise parses the message, which comes from SQLite itself.
func fault(err error) sqlstore.Fault {
	var coded interface{ Code() int }
	if !errors.As(err, &coded) {
		return faultOfText(err.Error())
	}
	switch code := coded.Code(); {
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
	var coded interface{ Code() int }
	return errors.As(err, &coded)
}
