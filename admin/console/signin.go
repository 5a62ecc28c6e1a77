package console

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"net/http"
	"time"

	"github.com/sendoff-go/outbox/admin"
)

const (
	signInCookie = "outbox_signin"
	// signInTime is how long somebody may take at the provider.
	signInTime = 10 * time.Minute
	// maxSignIn bounds the cookie, with its attributes: browsers drop those over 4 KiB.
	maxSignIn = 3800
)

// signIn is what the browser keeps while somebody is at the provider. Only this
// browser has it, so a callback that somebody else began fails.
type signIn struct {
	State    string `json:"s"`
	Nonce    string `json:"n"`
	Verifier string `json:"v"`
	To       string `json:"t"` // relative to the top
	Ends     int64  `json:"e"` // in seconds since 1970
}

// beginSignIn sends the browser to the provider. The cookie names no path, like
// that of a session, so the page is at the top.
func (c *Console) beginSignIn(w http.ResponseWriter, r *http.Request) {
	begun := signIn{
		State: rand.Text(), Nonce: rand.Text(), Verifier: rand.Text() + rand.Text(), // at least 43 characters
		To: within(r.URL.Query().Get("to")), Ends: time.Now().Add(signInTime).Unix(),
	}
	challenge := sha256.Sum256([]byte(begun.Verifier))
	at, err := c.cfg.SignIn.AuthURL(r.Context(), begun.State, begun.Nonce, base64.RawURLEncoding.EncodeToString(challenge[:]))
	if err != nil {
		c.log.Error("outbox: a sign-in could not begin", "provider", c.cfg.SignIn.Name(), "error", err)
		c.showLogin(w, r, http.StatusServiceUnavailable, providerAway, loginForm{To: begun.To})
		return
	}
	value := c.signIns.seal(begun)
	if len(value) > maxSignIn {
		begun.To = "./"
		value = c.signIns.seal(begun)
	}
	http.SetCookie(w, &http.Cookie{
		Name: signInCookie, Value: value, MaxAge: int(signInTime.Seconds()),
		HttpOnly: true, Secure: c.secure(r), SameSite: http.SameSiteLaxMode, // the provider's redirect brings it
	})
	see(w, at)
}

const providerAway = "The provider cannot be asked now: try again later."

// callback is where the provider sends the browser back to.
func (c *Console) callback(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	begun, ok := c.signInOf(r)
	if !ok || subtle.ConstantTimeCompare([]byte(begun.State), []byte(query.Get("state"))) != 1 {
		c.showLogin(w, r, http.StatusBadRequest, "This sign-in was not begun in this browser, or too long ago: sign in again.", loginForm{To: "./"})
		return
	}
	http.SetCookie(w, &http.Cookie{Name: signInCookie, MaxAge: -1, HttpOnly: true, SameSite: http.SameSiteLaxMode})
	problem, status := "", 0
	if code := query.Get("error"); code == "access_denied" {
		problem, status = "Access was denied: you declined, or you may not use this program.", http.StatusForbidden
	} else if code != "" {
		c.log.Warn("outbox: the provider could not sign somebody in", "provider", c.cfg.SignIn.Name(), "error", code[:min(len(code), 100)])
		problem, status = "The provider could not sign you in: try again, or ask an admin.", http.StatusServiceUnavailable
	} else {
		problem, status = c.redeem(w, r, begun)
	}
	if problem != "" {
		c.showLogin(w, r, status, problem, loginForm{To: begun.To})
		return
	}
	see(w, begun.To)
}

// signInOf is the sign-in that this browser has begun.
func (c *Console) signInOf(r *http.Request) (begun signIn, ok bool) {
	cookie, err := r.Cookie(signInCookie)
	if err != nil || !c.signIns.open(cookie.Value, &begun) || time.Now().Unix() >= begun.Ends {
		return signIn{}, false
	}
	return begun, true
}

// redeem begins a session for the person that a code stands for, or says why not.
func (c *Console) redeem(w http.ResponseWriter, r *http.Request, begun signIn) (problem string, status int) {
	p, err := c.codes(r.WithContext(context.WithValue(r.Context(), begunKey{}, begun)))
	var blocked *admin.BlockedError
	switch {
	case err == nil && p.Name != "" && p.Role.AtLeast(admin.Viewer):
		c.sessions.begin(w, p, c.secure(r))
		return "", 0
	case errors.As(err, &blocked):
		return "Too many sign-ins from your address failed: try again in a minute.", http.StatusTooManyRequests
	case err == nil:
		return noRole, http.StatusForbidden
	case errors.Is(err, admin.ErrUnauthenticated):
		return "The provider does not confirm who you are: sign in again.", http.StatusUnauthorized
	}
	c.log.Error("outbox: a sign-in could not be checked", "provider", c.cfg.SignIn.Name(), "error", err)
	return providerAway, http.StatusServiceUnavailable
}

type begunKey struct{}

// ask has the provider exchange the code of a callback. It is an [admin.Auth], so
// that wrong codes can be bounded by address: each costs the provider a request.
func (c *Console) ask(r *http.Request) (admin.Person, error) {
	begun, _ := r.Context().Value(begunKey{}).(signIn)
	code := r.URL.Query().Get("code")
	if code == "" {
		return admin.Person{}, admin.ErrUnauthenticated
	}
	return c.cfg.SignIn.Person(r.Context(), code, begun.Verifier, begun.Nonce)
}

// limitCodes bounds the codes that the provider refuses. API.NoLoginLimit says
// only that API.Auth has a bound of its own.
func (c *Console) limitCodes(api admin.Config) admin.Auth {
	limit := admin.LoginLimit{PerMinute: api.FailedLogins, TrustedProxies: api.TrustedProxies, Logger: api.Logger}
	if !api.NoLoginLimit {
		limit.PerMinute = cmp.Or(limit.PerMinute, defaultFailedLogins)
	}
	return admin.LimitLogins(c.ask, limit)
}
