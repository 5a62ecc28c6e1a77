package relay

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"net/url"
	"syscall"
)

// NetworkErrors is what an error of the network means that a listener returns
// and has not marked.
type NetworkErrors int

// The values of [LaneConfig.NetworkErrors].
const (
	// NetworkIsOutage takes it as marked by [outbox.Unavailable]: the other side
	// is away, no attempt is spent, and the type's events wait until one gets
	// through.
	NetworkIsOutage NetworkErrors = iota + 1
	// NetworkCounts takes it as any other error. It suits a listener whose events
	// each go to a server of their own, of which one that is away says nothing
	// about the others.
	NetworkCounts
)

// isNetworkError reports whether err says that the other side could not be
// reached, or was lost: refused, reset, timed out, without a name, or without a
// certificate that can be trusted. A context that ended is none: who ended it,
// and why, the error does not tell.
func isNetworkError(err error) bool { return networkError(err, false) }

// networkError looks at err and at all that it wraps. Within an error of the
// network's own packages the end of a stream is that of a connection; elsewhere
// it may be that of a payload.
func networkError(err error, remote bool) bool {
	switch e := err.(type) { //nolint:errorlint // this is the walk that errors.As does
	case nil:
		return false
	case *net.OpError:
		return !errors.Is(e, context.Canceled)
	case *net.DNSError:
		return !errors.Is(e, context.Canceled)
	case syscall.Errno:
		return connectionErrno(e)
	case tls.RecordHeaderError, tls.AlertError, *tls.CertificateVerificationError,
		x509.UnknownAuthorityError, x509.HostnameError, x509.CertificateInvalidError:
		return true
	case *url.Error: // says of every error that it is one of the network
		remote = true
	}
	switch {
	case errors.Is(err, driver.ErrBadConn), errors.Is(err, net.ErrClosed):
		return true
	case remote && (err == io.EOF || err == io.ErrUnexpectedEOF): //nolint:errorlint // what wraps it is looked at, too
		return true
	}
	switch e := err.(type) { //nolint:errorlint // the same walk
	case interface{ Unwrap() error }:
		return networkError(e.Unwrap(), remote)
	case interface{ Unwrap() []error }:
		for _, err := range e.Unwrap() {
			if networkError(err, remote) {
				return true
			}
		}
		return false
	}
	var timeout net.Error
	return err != context.DeadlineExceeded && errors.As(err, &timeout) && timeout.Timeout() //nolint:errorlint // a timeout of net/http is like it
}

// connectionErrno tells the numbers of a connection from those of files.
func connectionErrno(n syscall.Errno) bool {
	switch n {
	case syscall.ECONNREFUSED, syscall.ECONNRESET, syscall.ECONNABORTED, syscall.EPIPE, syscall.ETIMEDOUT,
		syscall.EHOSTUNREACH, syscall.EHOSTDOWN, syscall.ENETUNREACH, syscall.ENETDOWN, syscall.ENETRESET:
		return true
	}
	return false
}
