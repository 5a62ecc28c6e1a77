package admin

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"time"
)

// BlockedError says that too many wrong credentials came from an address.
type BlockedError struct {
	// RetryAfter is when one more attempt is let through.
	RetryAfter time.Duration
}

// Error implements error.
func (e *BlockedError) Error() string {
	return fmt.Sprintf("admin: too many wrong credentials came from this address: try again in %s", e.RetryAfter.Round(time.Second))
}

// LoginLimit bounds wrong credentials.
type LoginLimit struct {
	// PerMinute is how many of them one address may send in a minute, spread
	// out or in a burst. 0: no bound.
	PerMinute int
	// TrustedProxies are the addresses whose header X-Forwarded-For is believed.
	// Default: none.
	TrustedProxies []netip.Prefix
	// Logger gets the addresses that are blocked. Default: slog.Default().
	Logger *slog.Logger
}

// LimitLogins bounds how many wrong credentials may come from one address.
// Beyond that it answers everything that comes from there with a
// [*BlockedError] and does not ask auth: whoever guesses must not learn that a
// guess was right. [New] does so with its Auth; LimitLogins is for an Auth that
// is used elsewhere as well.
//
// The address is that of the connection or, if that is a trusted proxy, the one
// that the proxy names in X-Forwarded-For. Of an IPv6 address it is the /64
// network.
func LimitLogins(auth Auth, l LoginLimit) Auth {
	if l.PerMinute <= 0 {
		return auth
	}
	if l.Logger == nil {
		l.Logger = slog.Default()
	}
	wrong := &buckets{size: l.PerMinute, per: time.Minute}
	return func(r *http.Request) (Person, error) {
		address := addressOf(r, l.TrustedProxies)
		if wait := wrong.wait(address); wait > 0 {
			return Person{}, &BlockedError{RetryAfter: wait}
		}
		p, err := auth(r)
		if !errors.Is(err, ErrUnauthenticated) || errors.Is(err, ErrNoCredentials) {
			return p, err
		}
		if wait := wrong.take(address); wait > 0 { // others were faster
			return Person{}, &BlockedError{RetryAfter: wait}
		}
		if wrong.wait(address) > 0 {
			l.Logger.Warn("outbox: too many wrong credentials came from an address, and nobody is let in from there for now", "address", address)
		}
		return p, err
	}
}
