package console

import (
	"crypto/rand"
	"maps"
	"net/http"
	"sync"
	"time"

	"github.com/sendoff-go/outbox/admin"
)

const sessionCookie = "outbox_session"

// sessions are kept by browsers, signed. Those that were signed out are kept here
// until their time is over; other processes do not know of them. It is safe for
// concurrent use.
type sessions struct {
	signer
	ttl time.Duration

	mu   sync.Mutex
	out  map[string]int64 // when those that were signed out would have ended
	more chan struct{}    // closed when there is another one
}

// session is what a cookie says.
type session struct {
	ID   string     `json:"i"`
	Name string     `json:"n"`
	Role admin.Role `json:"r"`
	Ends int64      `json:"e"` // in seconds since 1970
}

func newSessions(key []byte, ttl time.Duration) *sessions {
	return &sessions{signer: newSigner(key, "outbox console session"), ttl: ttl, out: map[string]int64{}, more: make(chan struct{})}
}

// begin signs somebody in. The cookie names no path, so that it is for the
// directory of the page, which the browser knows and a server behind a proxy does
// not: call it only for pages at the top.
func (s *sessions) begin(w http.ResponseWriter, p admin.Person, secure bool) {
	http.SetCookie(w, &http.Cookie{
		Name: sessionCookie, Value: s.seal(session{rand.Text(), p.Name, p.Role, time.Now().Add(s.ttl).Unix()}), MaxAge: int(s.ttl.Seconds()),
		HttpOnly: true, Secure: secure, SameSite: http.SameSiteLaxMode,
	})
}

// end signs somebody out, on a page at the top. A copy of the cookie is worth
// nothing from now on.
func (s *sessions) end(w http.ResponseWriter, r *http.Request) {
	http.SetCookie(w, &http.Cookie{Name: sessionCookie, MaxAge: -1, HttpOnly: true, SameSite: http.SameSiteLaxMode})
	in, ok := s.read(r)
	if !ok {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now().Unix()
	maps.DeleteFunc(s.out, func(_ string, ends int64) bool { return ends <= now })
	s.out[in.ID] = in.Ends
	close(s.more)
	s.more = make(chan struct{})
}

// person reads who is signed in.
func (s *sessions) person(r *http.Request) (p admin.Person, ok bool) {
	in, ok := s.read(r)
	if over, _ := s.signedOut(r); !ok || over {
		return p, false
	}
	return admin.Person{Name: in.Name, Role: in.Role}, true
}

// signedOut reports whether the session of a request was signed out. The channel is
// closed when somebody else is: ask again then.
func (s *sessions) signedOut(r *http.Request) (over bool, more <-chan struct{}) {
	in, ok := s.read(r)
	s.mu.Lock()
	defer s.mu.Unlock()
	_, over = s.out[in.ID]
	return ok && over, s.more
}

// read returns the session that a request has, whose time is not over.
func (s *sessions) read(r *http.Request) (in session, ok bool) {
	cookie, err := r.Cookie(sessionCookie)
	ok = err == nil && s.open(cookie.Value, &in) && time.Now().Unix() < in.Ends
	return in, ok
}
