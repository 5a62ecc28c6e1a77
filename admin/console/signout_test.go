package console_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/admin/console"
)

// ask sends a request of somebody with cookies.
func ask(c *console.Console, method, path string, cookies []*http.Cookie, change ...func(*http.Request)) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, nil)
	for _, k := range cookies {
		r.AddCookie(k)
	}
	for _, f := range change {
		f(r)
	}
	w := httptest.NewRecorder()
	c.ServeHTTP(w, r)
	return w
}

func stream(r *http.Request) { r.Header.Set("Accept", "text/event-stream") }

func TestSigningOutEndsWhatTheSessionWatches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := guarded(t)
		viewer := url.Values{"user": {"viewer"}, "secret": {"password of viewer"}}
		one, other := enter(c, viewer).Cookies(), enter(c, viewer).Cookies() // in the same second
		var streams sync.WaitGroup
		var open atomic.Int64
		for _, cookies := range [][]*http.Cookie{one, one, other} {
			open.Add(1)
			streams.Go(func() {
				ask(c, http.MethodGet, "/types?live", cookies, stream)
				open.Add(-1)
			})
		}
		<-time.After(5 * time.Second)
		if n := open.Load(); n != 3 {
			t.Fatalf("%d streams are open at first", n)
		}
		ask(c, http.MethodPost, "/logout", one)
		synctest.Wait()
		if n := open.Load(); n != 1 {
			t.Errorf("%d streams are open after one session was signed out, expected that of the other", n)
		}
		if w := ask(c, http.MethodGet, "/types", one); w.Code != http.StatusSeeOther {
			t.Errorf("a copy of the cookie still opens pages: %d", w.Code)
		}
		if w := ask(c, http.MethodGet, "/types", other); w.Code != http.StatusOK {
			t.Errorf("the other session is over too: %d", w.Code)
		}
		began := time.Now()
		streams.Wait()
		if took := time.Since(began); took > 30*time.Second {
			t.Errorf("the other is asked who it is after %s only", took)
		}
	})
}

func TestAWrongPasswordCountsOnce(t *testing.T) {
	var asked atomic.Int64
	c := guarded(t, func(c *console.Config) {
		auth := c.API.Auth
		c.API.Auth = func(r *http.Request) (admin.Person, error) {
			asked.Add(1)
			return auth(r)
		}
	})
	for _, path := range []string{"/types", "/nothing/here", "/events//x", "/types?live"} {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			asked.Store(0)
			ask(c, method, path, nil, func(r *http.Request) { r.SetBasicAuth("viewer", "guess"); stream(r) })
			if n := asked.Load(); n != 1 {
				t.Errorf("%s %s asks %d times who it is", method, path, n)
			}
		}
	}
}

func TestPagesThatDoNotChangeAreNoStreams(t *testing.T) {
	c := guarded(t)
	cookies := enter(c, url.Values{"user": {"admin"}, "secret": {"password of admin"}}).Cookies()
	for _, path := range []string{"/pause?type=A&live", "/settings?live", "/find?q=x&live", "/jobs/new?action=replay&live", "/nothing?live"} {
		w := ask(c, http.MethodGet, path, cookies, stream)
		if kind := w.Header().Get("Content-Type"); w.Code != http.StatusNotFound || !strings.HasPrefix(kind, "text/html") {
			t.Errorf("%s: %d, %s", path, w.Code, kind)
		}
		if text := w.Body.String(); strings.Contains(text, "live-switch") || !strings.Contains(text, `id="menu"`) {
			t.Errorf("%s answers %s", path, text)
		}
	}
}

func TestOnlyASessionCanBeSignedOut(t *testing.T) {
	c := guarded(t)
	cookies := enter(c, url.Values{"user": {"viewer"}, "secret": {"password of viewer"}}).Cookies()
	if text := ask(c, http.MethodGet, "/types", cookies).Body.String(); !strings.Contains(text, "Sign out") {
		t.Error("a session cannot be signed out")
	}
	known := func(r *http.Request) { r.SetBasicAuth("viewer", "password of viewer") } // with each request
	if text := ask(c, http.MethodGet, "/types", nil, known).Body.String(); strings.Contains(text, "Sign out") || !strings.Contains(text, "viewer") {
		t.Errorf("somebody without a session is offered to sign out: %s", text)
	}
}
