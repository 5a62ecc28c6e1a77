package oidc_test

import (
	"html"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/admin/console"
	"github.com/sendoff-go/outbox/admin/oidc"
	"github.com/sendoff-go/outbox/internal/oidctest"
	"github.com/sendoff-go/outbox/store/memstore"
)

const clientSecret = "s3cret of the+console"

// loginRig is a console that people sign in to with a provider.
type loginRig struct {
	*oidctest.Provider
	t     *testing.T
	at    string // the console, with a slash
	store *memstore.Store
	log   *logs
}

type loginChange func(*console.Config, *oidc.LoginConfig)

func newLoginRig(t *testing.T, change ...loginChange) *loginRig {
	t.Helper()
	r := &loginRig{Provider: oidctest.New(t), t: t, store: memstore.New(memstore.Config{}), log: &logs{}}
	var handler http.Handler
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) { handler.ServeHTTP(w, req) }))
	t.Cleanup(srv.Close)
	r.at = srv.URL + "/x/console/"
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	log := slog.New(slog.NewTextHandler(r.log, nil))
	p, err := oidc.New(oidc.Config{Issuer: r.URL, Audience: "outbox", Roles: roles, Client: &http.Client{Transport: transport, Timeout: time.Minute}, Logger: log})
	if err != nil {
		t.Fatal(err)
	}
	lc := oidc.LoginConfig{ClientSecret: clientSecret, RedirectURL: r.at + "callback", Name: "Shop <ID>"}
	cc := console.Config{API: admin.Config{Store: r.store, Auth: p.Auth, Rate: 1_000_000, FailedLogins: 1_000_000, Logger: log}}
	for _, f := range change {
		f(&cc, &lc)
	}
	login, err := oidc.NewLogin(p, lc)
	if err != nil {
		t.Fatal(err)
	}
	cc.SignIn = login
	c, err := console.New(cc)
	if err != nil {
		t.Fatal(err)
	}
	handler = http.StripPrefix("/x/console", c)
	r.Register(oidctest.App{ID: "outbox", Secret: clientSecret, RedirectURL: r.at + "callback"})
	r.SignIn(oncall())
	return r
}

// browser is one person's browser, with its cookies.
type browser struct {
	t      *testing.T
	at     string
	client *http.Client
	halt   string // redirects to addresses with this prefix are not followed
}

func (r *loginRig) browser() *browser {
	jar, err := cookiejar.New(nil)
	if err != nil {
		r.t.Fatal(err)
	}
	transport := &http.Transport{}
	r.t.Cleanup(transport.CloseIdleConnections)
	b := &browser{t: r.t, at: r.at, client: &http.Client{Transport: transport, Jar: jar}}
	b.client.CheckRedirect = func(req *http.Request, _ []*http.Request) error {
		if b.halt != "" && strings.HasPrefix(req.URL.String(), b.halt) {
			return http.ErrUseLastResponse
		}
		return nil
	}
	return b
}

// page is what a browser shows.
type page struct {
	status int
	at     string // its address, or that of a redirect that is not followed
	text   string
}

func (b *browser) do(req *http.Request) page {
	b.t.Helper()
	res, err := b.client.Do(req)
	if err != nil {
		b.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	at := res.Request.URL
	if to, err := res.Location(); err == nil {
		at = to
	}
	return page{res.StatusCode, at.String(), string(text)}
}

// visit opens an address, relative to the console, and follows redirects.
func (b *browser) visit(address string) page {
	b.t.Helper()
	if !strings.Contains(address, "://") {
		address = b.at + address
	}
	req, err := http.NewRequestWithContext(b.t.Context(), http.MethodGet, address, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	return b.do(req)
}

func (b *browser) post(address string, form url.Values) page {
	b.t.Helper()
	req, err := http.NewRequestWithContext(b.t.Context(), http.MethodPost, b.at+address, strings.NewReader(form.Encode()))
	if err != nil {
		b.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return b.do(req)
}

// callback signs in at the provider and returns the address to which the provider
// redirects, without opening it.
func (b *browser) callback() string {
	b.t.Helper()
	b.halt = b.at + "callback"
	defer func() { b.halt = "" }()
	p := b.visit("signin?to=types")
	if p.status != http.StatusFound || !strings.HasPrefix(p.at, b.halt) {
		b.t.Fatalf("%d at %s: %s", p.status, p.at, p.text)
	}
	return p.at
}

// refused fails the test unless a page is the login page with a problem, and
// nobody is signed in.
func (b *browser) refused(p page, status int, problem string) {
	b.t.Helper()
	if p.status != status || !strings.Contains(p.text, `role="alert">`+problem+`</div>`) || !strings.Contains(p.text, "Sign in with Shop &lt;ID&gt;</a>") {
		b.t.Errorf("%d at %s, want %d with %q: %s", p.status, p.at, status, problem, p.text)
	}
	if p := b.visit("types"); !strings.HasPrefix(p.at, b.at+"login?") {
		b.t.Errorf("somebody is signed in: %s", p.at)
	}
}

var link = regexp.MustCompile(`<a class="btn primary" href="([^"]*)">`)

// button returns the link of a login page's button.
func (b *browser) button(p page) string {
	b.t.Helper()
	m := link.FindStringSubmatch(p.text)
	if m == nil {
		b.t.Fatalf("%s has no button: %s", p.at, p.text)
	}
	return strings.TrimPrefix(html.UnescapeString(m[1]), "./")
}
