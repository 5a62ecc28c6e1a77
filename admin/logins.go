package admin

import (
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"time"
)

// BlockedError: too many wrong credentials came from an address.
type BlockedError struct {
	// RetryAfter is when one more attempt is let through.
	RetryAfter time.Duration
}

// Error implements error.
func (e *BlockedError) Error() string {
	return fmt.Sprintf("admin: too many wrong credentials came from this address: try again in %s", e.RetryAfter.Round(time.Second))
}

// LimitLogins bounds how many wrong credentials a minute may come from one
// address, and as many at once. Beyond that it answers everything that comes
// from the address with a [*BlockedError] and does not ask auth: who guesses must
// not learn that a guess was right. [New] does so with its Auth; LimitLogins is
// for an Auth that is used elsewhere as well.
//
// The address is that of the connection or, if that is a trusted proxy, the one
// that the proxy names in X-Forwarded-For. Of an IPv6 address it is the /64
// network.
func LimitLogins(auth Auth, perMinute int, trusted ...netip.Prefix) Auth {
	wrong := &buckets{size: perMinute, per: time.Minute}
	return func(r *http.Request) (Person, error) {
		address := addressOf(r, trusted)
		if wait := wrong.wait(address); wait > 0 {
			return Person{}, &BlockedError{RetryAfter: wait}
		}
		p, err := auth(r)
		if errors.Is(err, ErrUnauthenticated) && !errors.Is(err, ErrNoCredentials) {
			if wait := wrong.take(address); wait > 0 { // others were faster
				return Person{}, &BlockedError{RetryAfter: wait}
			}
		}
		return p, err
	}
}
