package console_test

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/admin/console"
	"github.com/sendoff-go/outbox/store/memstore"
)

// elsewhere is a provider that signs in olga with the code "right", without a
// network, so that time can be a test's.
type elsewhere struct{ state, nonce, challenge string }

func (*elsewhere) Name() string { return "Elsewhere" }

func (e *elsewhere) AuthURL(_ context.Context, state, nonce, challenge string) (string, error) {
	*e = elsewhere{state, nonce, challenge}
	return "https://login.example.com/auth", nil
}

func (e *elsewhere) Person(_ context.Context, code, verifier, nonce string) (admin.Person, error) {
	sum := sha256.Sum256([]byte(verifier))
	if code != "right" || nonce != e.nonce || base64.RawURLEncoding.EncodeToString(sum[:]) != e.challenge {
		return admin.Person{}, admin.ErrUnauthenticated
	}
	return admin.Person{Name: "olga", Role: admin.Operator}, nil
}

// signInRig asks a console without a network.
type signInRig struct {
	elsewhere
	t       *testing.T
	console *console.Console
	cookies map[string]*http.Cookie
}

func newSignInRig(t *testing.T, change ...func(*console.Config)) *signInRig {
	t.Helper()
	r := &signInRig{t: t, cookies: map[string]*http.Cookie{}}
	tokens, err := admin.Tokens(admin.Token{Name: "vera", Role: admin.Viewer, SHA256: admin.Sum("viewer")})
	if err != nil {
		t.Fatal(err)
	}
	c := console.Config{API: admin.Config{Store: memstore.New(memstore.Config{}), Auth: tokens, Logger: slog.New(slog.DiscardHandler)}, SignIn: r}
	for _, f := range change {
		f(&c)
	}
	if r.console, err = console.New(c); err != nil {
		t.Fatal(err)
	}
	return r
}

func (r *signInRig) ask(method, path string) *httptest.ResponseRecorder {
	r.t.Helper()
	req := httptest.NewRequest(method, path, nil)
	for _, c := range r.cookies {
		req.AddCookie(c)
	}
	w := httptest.NewRecorder()
	r.console.ServeHTTP(w, req)
	for _, c := range w.Result().Cookies() {
		if r.cookies[c.Name] = c; c.MaxAge < 0 {
			delete(r.cookies, c.Name)
		}
	}
	return w
}

// signIn signs in, and returns where that leads to.
func (r *signInRig) signIn(to string) string {
	r.t.Helper()
	if w := r.ask("GET", "/signin?to="+url.QueryEscape(to)); w.Code != http.StatusSeeOther || w.Header().Get("Location") != "https://login.example.com/auth" {
		r.t.Fatalf("%d %v", w.Code, w.Header())
	}
	if n := len(r.cookies["outbox_signin"].String()); n > 4096 {
		r.t.Errorf("a cookie of %d bytes", n)
	}
	w := r.ask("GET", "/callback?code=right&state="+r.state)
	if w.Code != http.StatusSeeOther || r.cookies["outbox_session"] == nil || r.cookies["outbox_signin"] != nil {
		r.t.Fatalf("%d %v %s", w.Code, w.Header(), w.Body)
	}
	return w.Header().Get("Location")
}

func TestASignInLeadsOnlyToPagesOfTheConsole(t *testing.T) {
	r := newSignInRig(t)
	for to, want := range map[string]string{
		"":                             "./",
		"events?type=a%26b&state=new":  "./events?type=a%26b&state=new",
		"./types":                      "./types",
		"https://evil.example/":        "./",
		"//evil.example/":              "./",
		"/\\evil.example":              "./",
		"\\\\evil.example":             "./",
		"///evil.example":              "./",
		"/\t/evil.example":             "./",
		"\t//evil.example":             "./",
		"https:evil.example":           "./",
		"javascript:alert(1)":          "./",
		".//evil.example":              ".//evil.example", // a path under this one
		"../../other":                  "./",
		"%2e%2e/other":                 "./",
		"a\r\nSet-Cookie: x=y":         "./",
		strings.Repeat("x", 5000):      "./",
		"?" + strings.Repeat("&", 700): "./", // six times as long in JSON
	} {
		if got := r.signIn(to); got != want {
			t.Errorf("%.40q leads to %.40q, want %q", to, got, want)
		}
		at, err := url.Parse("https://shop.example.com/console/callback")
		if err != nil {
			t.Fatal(err)
		}
		if end, err := at.Parse(want); err != nil || end.Host != "shop.example.com" || !strings.HasPrefix(end.Path, "/console/") {
			t.Errorf("%q leads to %v, %v", to, end, err)
		}
	}
}

func TestASignInTakesNoLongerThanTenMinutes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newSignInRig(t)
		r.ask("GET", "/signin")
		kept := r.cookies["outbox_signin"]
		<-time.After(10*time.Minute - time.Second)
		if w := r.ask("GET", "/callback?code=right&state="+r.state); w.Code != http.StatusSeeOther {
			t.Fatalf("in time: %d %s", w.Code, w.Body)
		}
		r.cookies = map[string]*http.Cookie{"outbox_signin": kept} // by somebody who does not let it expire
		<-time.After(time.Second)
		w := r.ask("GET", "/callback?code=right&state="+r.state)
		if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), "too long ago: sign in again") || r.cookies["outbox_session"] != nil {
			t.Errorf("too late: %d %s", w.Code, w.Body)
		}
	})
}

func TestTheCookieOfASignInIsOnlyForThat(t *testing.T) {
	r := newSignInRig(t)
	r.ask("GET", "/signin")
	plain := *r.cookies["outbox_signin"]
	if !plain.HttpOnly || plain.Secure || plain.SameSite != http.SameSiteLaxMode || plain.Path != "" || plain.MaxAge != 600 {
		t.Errorf("%+v", plain)
	}
	w := httptest.NewRecorder()
	r.console.ServeHTTP(w, httptest.NewRequest("GET", "https://shop.example.com/signin", nil))
	if c := w.Result().Cookies()[0]; !c.Secure {
		t.Errorf("over TLS: %+v", c)
	}
	r.signIn("")
	session := *r.cookies["outbox_session"]
	for name, cookie := range map[string]http.Cookie{
		"a sign-in as a session": {Name: "outbox_session", Value: plain.Value},
		"a session as a sign-in": {Name: "outbox_signin", Value: session.Value},
		"a changed sign-in":      {Name: "outbox_signin", Value: "e30" + plain.Value[strings.Index(plain.Value, "."):]},
	} {
		r.cookies = map[string]*http.Cookie{cookie.Name: &cookie}
		if w := r.ask("GET", "/types"); w.Code != http.StatusSeeOther {
			t.Errorf("%s: %d", name, w.Code)
		}
		if w := r.ask("GET", "/callback?code=right&state="); w.Code != http.StatusBadRequest {
			t.Errorf("%s: %d", name, w.Code)
		}
	}
}

func TestTheLoginPageOffersWhatThereIs(t *testing.T) {
	only := func(c *console.Config) { c.OnlySignIn = true }
	for name, c := range map[string]struct {
		change       func(*console.Config)
		button, form bool
		post         int // the status of an empty form
	}{
		"both":         {func(*console.Config) {}, true, true, http.StatusUnauthorized},
		"the provider": {only, true, false, http.StatusNotFound},
		"the form":     {func(c *console.Config) { c.SignIn = nil }, false, true, http.StatusUnauthorized},
	} {
		t.Run(name, func(t *testing.T) {
			r := newSignInRig(t, c.change)
			text := r.ask("GET", "/login?to=events%3Ftype%3Da").Body.String()
			if strings.Contains(text, `href="./signin?to=.%2Fevents%3Ftype%3Da">Sign in with Elsewhere</a>`) != c.button || strings.Contains(text, `name="secret"`) != c.form {
				t.Error(text)
			}
			if w := r.ask("POST", "/login"); w.Code != c.post {
				t.Errorf("POST: %d", w.Code)
			}
			if w := r.ask("GET", "/signin"); (w.Code == http.StatusSeeOther) != c.button {
				t.Errorf("signin: %d", w.Code)
			}
		})
	}
	if _, err := console.New(console.Config{API: admin.Config{Store: memstore.New(memstore.Config{}), Auth: admin.Anyone(admin.Viewer)}, OnlySignIn: true}); err == nil || !strings.Contains(err.Error(), "set SignIn") {
		t.Errorf("OnlySignIn alone: %v", err)
	}
}

func TestAFailedCallbackIsNotRepeatedByPreferences(t *testing.T) {
	r := newSignInRig(t)
	r.ask("GET", "/signin?to=types")
	w := r.ask("GET", "/callback?code=wrong&state="+r.state)
	text := w.Body.String()
	if w.Code != http.StatusUnauthorized || strings.Contains(text, r.state) || strings.Contains(text, "wrong") || !strings.Contains(text, `<input type="hidden" name="to" value="login?to=.%2Ftypes">`) {
		t.Errorf("%d %s", w.Code, text)
	}
}
