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

// NetworkErrors is how to treat an unclassified network error of a listener.
type NetworkErrors int

// The values of [LaneConfig.NetworkErrors].
const (
	// NetworkIsOutage treats it like [outbox.Unavailable]: the other side is
	// unavailable, no attempt is spent, and the type's events wait until one
	// gets through.
	NetworkIsOutage NetworkErrors = iota + 1
	// NetworkCounts treats it like any other error. It suits a listener whose
	// events go to different servers, so that an outage of one says nothing
	// about the others.
	NetworkCounts
)

// isNetworkError reports whether err means that the other side could not be
// reached, or was lost: refused, reset, timed out, unknown host, or untrusted
// certificate. A context that ended does not count: the error does not tell who
// ended it, and why.
func isNetworkError(err error) bool { return networkError(err, false) }

// networkError looks at err and everything it wraps. Within an error of the net
// packages, EOF is the end of a connection; elsewhere it may be the end of a
// payload.
func networkError(err error, remote bool) bool {
	switch e := err.(type) { //nolint:errorlint // this is the walk that errors.As does
	case nil:
		return false
	case *net.OpError:
		return !errors.Is(e, context.Canceled) && !malformedAddress(e)
	case *net.DNSError:
		return !errors.Is(e, context.Canceled)
	case syscall.Errno:
		return connectionErrno(e)
	case tls.RecordHeaderError, tls.AlertError, *tls.CertificateVerificationError,
		x509.UnknownAuthorityError, x509.HostnameError, x509.CertificateInvalidError:
		return true
	case *url.Error: // implements net.Error whatever it wraps
		remote = true
	}
	switch {
	case errors.Is(err, driver.ErrBadConn), errors.Is(err, net.ErrClosed):
		return true
	case remote && (err == io.EOF || err == io.ErrUnexpectedEOF): //nolint:errorlint // part of the walk
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
	return err != context.DeadlineExceeded && errors.As(err, &timeout) && timeout.Timeout() //nolint:errorlint // a timeout of net/http matches it with errors.Is
}

// malformedAddress reports whether nothing was dialled because the address,
// which may come from the event, is malformed.
func malformedAddress(err error) bool {
	return errors.As(err, new(*net.AddrError)) || errors.As(err, new(net.UnknownNetworkError)) ||
		errors.As(err, new(net.InvalidAddrError)) || errors.As(err, new(*net.ParseError))
}

// connectionErrno distinguishes errors of connections from those of files.
func connectionErrno(n syscall.Errno) bool {
	switch n {
	case syscall.ECONNREFUSED, syscall.ECONNRESET, syscall.ECONNABORTED, syscall.EPIPE, syscall.ETIMEDOUT,
		syscall.EHOSTUNREACH, syscall.EHOSTDOWN, syscall.ENETUNREACH, syscall.ENETDOWN, syscall.ENETRESET:
		return true
	}
	return false
}
