package driver

import "fmt"

// LockedError names the rows of a [Store.Settle] or [Store.Renew] that another
// session kept locked for longer than the store waits. They are unchanged; all
// other rows of the call were handled, and the call's result covers only those.
// Nobody can claim a row while it is locked; once it is unlocked, its claim is
// held or over like that of any other row.
type LockedError struct{ Rows []Held }

// Error implements error.
func (e *LockedError) Error() string {
	if len(e.Rows) == 1 {
		return fmt.Sprintf("outbox: another session has locked the row of event %s: end its transaction", e.Rows[0].EventID)
	}
	return fmt.Sprintf("outbox: other sessions have locked %d rows, among them that of event %s: end their transactions", len(e.Rows), e.Rows[0].EventID)
}
