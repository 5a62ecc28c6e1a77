package console

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/sendoff-go/outbox/admin"
)

const sessionCookie = "outbox_session"

// sessions are kept by browsers, signed.
type sessions struct {
	key []byte
	ttl time.Duration
}

// session is what a cookie says.
type session struct {
	Name string     `json:"n"`
	Role admin.Role `json:"r"`
	Ends int64      `json:"e"` // in seconds since 1970
}

// newSessions derives the key, so that a signature of something else that was made
// with the same one is no session.
func newSessions(key []byte, ttl time.Duration) sessions {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte("outbox console session"))
	return sessions{mac.Sum(nil), ttl}
}

func (s *sessions) sign(text string) string {
	mac := hmac.New(sha256.New, s.key)
	mac.Write([]byte(text))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// begin signs somebody in. The cookie names no path, so that it is for the
// directory of the page, which the browser knows and a server behind a proxy does
// not: call it only for pages at the top.
func (s *sessions) begin(w http.ResponseWriter, p admin.Person, secure bool) {
	text, err := json.Marshal(session{p.Name, p.Role, time.Now().Add(s.ttl).Unix()})
	if err != nil {
		panic(err) // it is text and a number
	}
	value := base64.RawURLEncoding.EncodeToString(text)
	http.SetCookie(w, &http.Cookie{
		Name: sessionCookie, Value: value + "." + s.sign(value), MaxAge: int(s.ttl.Seconds()),
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
	if err != nil {
		return p, false
	}
	value, signature, _ := strings.Cut(cookie.Value, ".")
	if !hmac.Equal([]byte(signature), []byte(s.sign(value))) {
		return p, false
	}
	text, err := base64.RawURLEncoding.DecodeString(value)
	var in session
	if err != nil || json.Unmarshal(text, &in) != nil || time.Now().Unix() >= in.Ends {
		return p, false
	}
	return admin.Person{Name: in.Name, Role: in.Role}, true
}
