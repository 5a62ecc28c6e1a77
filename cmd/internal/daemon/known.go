package daemon

import (
	"errors"
	"math"
	"net/http"
	"strconv"

	"github.com/sendoff-go/outbox/admin"
)

// known calls next for those who have at least that role in the REST API. Where
// nobody may use it, there are no credentials to ask for.
func (d *Daemon) known(role admin.Role, next http.Handler) http.Handler {
	if d.whoever == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p, err := d.whoever(r)
		var blocked *admin.BlockedError
		switch {
		case errors.As(err, &blocked):
			w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(blocked.RetryAfter.Seconds()))))
			answer(w, http.StatusTooManyRequests, "too many wrong credentials came from your address: try again later\n")
		case errors.Is(err, admin.ErrUnauthenticated):
			w.Header().Set("WWW-Authenticate", `Bearer, Basic realm="outbox", charset="UTF-8"`)
			answer(w, http.StatusUnauthorized, "send a bearer token, or a user and a password, of outbox.admin\n")
		case err != nil:
			d.log.Error("outbox: authentication failed for a reason of its own", "error", err)
			w.Header().Set("Retry-After", "5")
			answer(w, http.StatusServiceUnavailable, "who you are cannot be found out now: try again later\n")
		case p.Name == "" || !p.Role.AtLeast(role):
			answer(w, http.StatusForbidden, "this is for the role "+string(role)+"\n")
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// knows reports whether the request comes from somebody who may use the REST
// API.
func (d *Daemon) knows(r *http.Request) bool {
	if d.whoever == nil {
		return true
	}
	p, err := d.whoever(r)
	return err == nil && p.Role.AtLeast(admin.Viewer)
}
