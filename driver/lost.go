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

// ConnectionLost reports whether err is an error of the standard library that
// means that no answer came: the connection broke, or the context or a deadline
// ended first. Stores use it to distinguish a lost answer to COMMIT from an
// error of the application.
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
