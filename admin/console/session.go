package console

import (
	"net/http"
	"time"

	"github.com/sendoff-go/outbox/admin"
)

const sessionCookie = "outbox_session"

// sessions are kept by browsers, signed.
type sessions struct {
	signer
	ttl time.Duration
}

// session is what a cookie says.
type session struct {
	Name string     `json:"n"`
	Role admin.Role `json:"r"`
	Ends int64      `json:"e"` // in seconds since 1970
}

func newSessions(key []byte, ttl time.Duration) sessions {
	return sessions{newSigner(key, "outbox console session"), ttl}
}

// begin signs somebody in. The cookie names no path, so that it is for the
// directory of the page, which the browser knows and a server behind a proxy does
// not: call it only for pages at the top.
func (s *sessions) begin(w http.ResponseWriter, p admin.Person, secure bool) {
	http.SetCookie(w, &http.Cookie{
		Name: sessionCookie, Value: s.seal(session{p.Name, p.Role, time.Now().Add(s.ttl).Unix()}), MaxAge: int(s.ttl.Seconds()),
		HttpOnly: true, Secure: secure, SameSite: http.SameSiteLaxMode,
	})
}

// end signs somebody out, on a page at the top.
func (s *sessions) end(w http.ResponseWriter) {
	http.SetCookie(w, &http.Cookie{Name: sessionCookie, MaxAge: -1, HttpOnly: true, SameSite: http.SameSiteLaxMode})
}

// person reads who is signed in.
func (s *sessions) person(r *http.Request) (p admin.Person, ok bool) {
	cookie, err := r.Cookie(sessionCookie)
	var in session
	if err != nil || !s.open(cookie.Value, &in) || time.Now().Unix() >= in.Ends {
		return p, false
	}
	return admin.Person{Name: in.Name, Role: in.Role}, true
}
