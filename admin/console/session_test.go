package console_test

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
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

// guarded is a console that knows one user and one token of each role, each named
// like it.
func guarded(t *testing.T, change ...func(*console.Config)) *console.Console {
	t.Helper()
	var users []admin.User
	var tokens []admin.Token
	for _, role := range admin.Roles() {
		users = append(users, admin.User{Name: string(role), Role: role, SHA256: admin.Sum("password of " + string(role))})
		tokens = append(tokens, admin.Token{Name: "t-" + string(role), Role: role, SHA256: admin.Sum("token-of-" + string(role))})
	}
	people, err := admin.Users(users...)
	if err != nil {
		t.Fatal(err)
	}
	machines, err := admin.Tokens(tokens...)
	if err != nil {
		t.Fatal(err)
	}
	c := console.Config{API: admin.Config{Store: memstore.New(memstore.Config{}), Auth: admin.FirstOf(machines, people), Logger: slog.New(slog.DiscardHandler)}}
	for _, f := range change {
		f(&c)
	}
	made, err := console.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// enter sends what somebody entered, and returns the answer with its cookies.
func enter(c *console.Console, form url.Values, change ...func(*http.Request)) *http.Response {
	r := httptest.NewRequest(http.MethodPost, "/login", strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for _, f := range change {
		f(r)
	}
	w := httptest.NewRecorder()
	c.ServeHTTP(w, r)
	return w.Result()
}

// with asks for a page with cookies.
func with(c *console.Console, cookies []*http.Cookie) *http.Response {
	r := httptest.NewRequest(http.MethodGet, "/types", nil)
	for _, k := range cookies {
		r.AddCookie(k)
	}
	w := httptest.NewRecorder()
	c.ServeHTTP(w, r)
	return w.Result()
}

func TestUsersAndTokensSignIn(t *testing.T) {
	c := guarded(t)
	for _, form := range []url.Values{
		{"user": {"operator"}, "secret": {"password of operator"}},
		{"secret": {"token-of-operator"}},
	} {
		in := enter(c, form)
		if in.StatusCode != http.StatusSeeOther || len(in.Cookies()) != 1 {
			t.Fatalf("%v: %s with %d cookies", form, in.Status, len(in.Cookies()))
		}
		if k := in.Cookies()[0]; !k.HttpOnly || k.SameSite != http.SameSiteLaxMode || k.Path != "" {
			t.Errorf("the cookie is %+v", k)
		}
		page := with(c, in.Cookies())
		text, _ := io.ReadAll(page.Body) // of a recorder
		if page.StatusCode != http.StatusOK || !strings.Contains(string(text), "operator") {
			t.Errorf("%v: %s\n%s", form, page.Status, text)
		}
	}
	for _, form := range []url.Values{{}, {"user": {"operator"}, "secret": {"token-of-operator"}}, {"user": {"operator"}}, {"secret": {"x"}}} {
		if in := enter(c, form); in.StatusCode != http.StatusUnauthorized || len(in.Cookies()) != 0 {
			t.Errorf("%v: %s with %d cookies", form, in.Status, len(in.Cookies()))
		}
	}
}

func TestASessionThatWasChangedOrIsOverIsNone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := guarded(t, func(c *console.Config) { c.SignedIn = time.Hour })
		cookies := enter(c, url.Values{"user": {"viewer"}, "secret": {"password of viewer"}}).Cookies()
		if page := with(c, cookies); page.StatusCode != http.StatusOK {
			t.Fatalf("at first %s", page.Status)
		}
		value := cookies[0].Value
		for _, changed := range []string{"", ".", value + "x", "x" + value, strings.ToUpper(value), strings.Split(value, ".")[0] + "."} {
			if page := with(c, []*http.Cookie{{Name: cookies[0].Name, Value: changed}}); page.StatusCode != http.StatusSeeOther {
				t.Errorf("%q is accepted: %s", changed, page.Status)
			}
		}
		if page := with(guarded(t), cookies); page.StatusCode != http.StatusSeeOther {
			t.Errorf("a console with another key accepts it: %s", page.Status)
		}
		<-time.After(time.Hour)
		if page := with(c, cookies); page.StatusCode != http.StatusSeeOther {
			t.Errorf("it is accepted after its end: %s", page.Status)
		}
	})
}

func TestASessionHoldsBehindAProxyThatAsksForAPassword(t *testing.T) {
	c := guarded(t)
	proxy := func(r *http.Request) { r.SetBasicAuth("somebody", "whom only the proxy knows") }
	in := enter(c, url.Values{"secret": {"token-of-viewer"}}, proxy)
	for range 20 { // more than wrong passwords are let through
		r := httptest.NewRequest(http.MethodGet, "/types", nil)
		proxy(r)
		r.AddCookie(in.Cookies()[0])
		w := httptest.NewRecorder()
		if c.ServeHTTP(w, r); w.Code != http.StatusOK {
			t.Fatalf("status %d, to %s", w.Code, w.Header().Get("Location"))
		}
	}
	if in = enter(c, url.Values{"secret": {"token-of-viewer"}}, proxy); in.StatusCode != http.StatusSeeOther {
		t.Errorf("another sign-in: %s", in.Status)
	}
}

func TestConsolesOfOneKeyAcceptEachOthersSessions(t *testing.T) {
	key := func(c *console.Config) { c.Key = []byte("the same key in all processes, 32") }
	cookies := enter(guarded(t, key), url.Values{"user": {"viewer"}, "secret": {"password of viewer"}}).Cookies()
	if page := with(guarded(t, key), cookies); page.StatusCode != http.StatusOK {
		t.Error(page.Status)
	}
}

func TestWrongPasswordsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // where no time passes in which another may be tried
		c := guarded(t, func(c *console.Config) { c.API.FailedLogins = 3 })
		for range 3 {
			enter(c, url.Values{"user": {"admin"}, "secret": {"guess"}})
		}
		in := enter(c, url.Values{"user": {"admin"}, "secret": {"password of admin"}})
		if in.StatusCode != http.StatusTooManyRequests || len(in.Cookies()) != 0 {
			t.Errorf("after three guesses: %s", in.Status)
		}
	})
}

func TestNobodyIsSentElsewhereAfterSigningIn(t *testing.T) {
	c := guarded(t)
	for to, want := range map[string]string{
		"types?x=1": "./types?x=1", "": "./", "https://evil.example": "./", "//evil.example": "./", "/\\evil.example": "./", `\\evil.example`: "./",
		"../../elsewhere": "./", "javascript:alert(1)": "./", "x\r\nSet-Cookie: a=b": "./", "events/01H?view=raw": "./events/01H?view=raw",
		"types/a:b?key=c:d": "./types/a:b?key=c:d", "events/a..b": "./events/a..b", "x:y": "./", "a%2fb/../../../elsewhere": "./", "%2e%2e/elsewhere": "./", "..": "./", ".\t./elsewhere": "./",
	} {
		in := enter(c, url.Values{"user": {"viewer"}, "secret": {"password of viewer"}, "to": {to}})
		if got := in.Header.Get("Location"); got != want {
			t.Errorf("%q leads to %q, expected %q", to, got, want)
		}
	}
}

func TestFormsOfOtherSitesAreRefused(t *testing.T) {
	c := guarded(t)
	cookies := enter(c, url.Values{"user": {"operator"}, "secret": {"password of operator"}}).Cookies()
	for _, path := range []string{"/pause", "/alerts/mute", "/jobs/new", "/dead-letters/act", "/logout", "/preferences", "/login"} {
		r := httptest.NewRequest(http.MethodPost, path, strings.NewReader("type=A"))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Sec-Fetch-Site", "cross-site")
		r.AddCookie(cookies[0])
		w := httptest.NewRecorder()
		c.ServeHTTP(w, r)
		if w.Code != http.StatusForbidden {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
}

func TestEveryAnswerHasTheStrictPolicy(t *testing.T) {
	c := guarded(t)
	server := httptest.NewServer(http.StripPrefix("/deep/path", c))
	defer server.Close()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Jar: jar}
	defer client.CloseIdleConnections()
	in, err := client.PostForm(server.URL+"/deep/path/login", url.Values{"user": {"admin"}, "secret": {"password of admin"}})
	if err != nil {
		t.Fatal(err)
	}
	in.Body.Close()
	for _, page := range []string{"", "events", "dead-letters", "login", "nothing/here", "static/console.css", "static/", "audit.csv", "types/one?type=A"} {
		answer, err := client.Get(server.URL + "/deep/path/" + page)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		policy := answer.Header.Get("Content-Security-Policy")
		if !strings.HasPrefix(policy, "default-src 'none';") || strings.Contains(policy, "unsafe") || answer.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s has the policy %q", page, policy)
		}
		for _, bad := range []string{" style=", " onclick=", "<style", "javascript:", `href="/`, `src="/`, `action="/`} {
			if strings.Contains(string(text), bad) {
				t.Errorf("%s has %s", page, bad)
			}
		}
	}
}

func TestNoPathLeadsOutOfTheConsole(t *testing.T) {
	c := guarded(t)
	for _, path := range []string{"", "//", "//evil.example/", "/events//x", "/events/..", "/dead-letters/../..", "/dead-letters/.", "/./events", "/static//console.css"} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.URL.Path = path
		r.Header.Set("Authorization", "Bearer token-of-viewer")
		w := httptest.NewRecorder()
		c.ServeHTTP(w, r)
		if to := w.Header().Get("Location"); w.Code != http.StatusNotFound || to != "" {
			t.Errorf("%q: status %d, to %q", path, w.Code, to)
		}
	}
}
