package driver

import (
	"context"
	sqldriver "database/sql/driver"
	"errors"
	"io"
	"net"
	"os"
	"syscall"
)

// ConnectionLost reports whether err says, in the words of the standard
// library, that an answer did not come: the connection broke, or the context or
// a deadline ended first. Stores use it to tell a lost answer to COMMIT from an
// error of the business.
func ConnectionLost(err error) bool {
	for _, lost := range []error{
		sqldriver.ErrBadConn, io.EOF, io.ErrUnexpectedEOF, io.ErrClosedPipe, net.ErrClosed,
		context.Canceled, context.DeadlineExceeded, os.ErrDeadlineExceeded,
	} {
		if errors.Is(err, lost) {
			return true
		}
	}
	var network net.Error
	var number syscall.Errno
	return errors.As(err, &network) || errors.As(err, &number)
}
