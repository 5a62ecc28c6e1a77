package oidc_test

import (
	"bytes"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/admin/oidc"
	"github.com/sendoff-go/outbox/internal/await"
	"github.com/sendoff-go/outbox/internal/oidctest"
	"github.com/sendoff-go/outbox/store/memstore"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// rig is the API with a provider of tokens.
type rig struct {
	*oidctest.Provider
	t       *testing.T
	auth    *oidc.Provider
	handler http.Handler
	log     *logs
}

type logs struct {
	mu  sync.Mutex
	out bytes.Buffer
}

func (l *logs) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.out.Write(p)
}

func (l *logs) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.out.String()
}

var roles = map[string]admin.Role{"look": admin.Viewer, "oncall": admin.Operator, "root": admin.Admin}

func newRig(t *testing.T, change ...func(*oidc.Config)) *rig {
	t.Helper()
	r := &rig{t: t, Provider: oidctest.New(t), log: &logs{}}
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	log := slog.New(slog.NewTextHandler(r.log, nil))
	c := oidc.Config{Issuer: r.URL, Audience: "outbox", Roles: roles, Client: &http.Client{Transport: transport, Timeout: time.Minute}, Logger: log}
	for _, f := range change {
		f(&c)
	}
	var err error
	if r.auth, err = oidc.New(c); err != nil {
		t.Fatal(err)
	}
	tokens, err := admin.Tokens(admin.Token{Name: "ci", Role: admin.Viewer, SHA256: admin.Sum("of-the-file")})
	if err != nil {
		t.Fatal(err)
	}
	r.handler, err = admin.New(admin.Config{Store: memstore.New(memstore.Config{}), Auth: admin.FirstOf(tokens, r.auth.Auth), FailedLogins: 1_000_000, Logger: log})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// send sends a request with a token, and returns its status.
func (r *rig) send(method, path, token string) *httptest.ResponseRecorder {
	req := httptest.NewRequest(method, path, strings.NewReader(`{"all":true}`))
	if method == http.MethodGet {
		req = httptest.NewRequest(method, path, nil)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+token)
	w := httptest.NewRecorder()
	r.handler.ServeHTTP(w, req)
	return w
}

func (r *rig) status(token string) int { return r.send("GET", "/api/v1/status", token).Code }

func oncall(more ...any) map[string]any {
	all := map[string]any{"roles": []string{"other", "oncall"}}
	for i := 0; i < len(more); i += 2 {
		all[more[i].(string)] = more[i+1]
	}
	return all
}

func TestATokenOfTheIssuerHasItsRoleAndName(t *testing.T) {
	r := newRig(t)
	token := r.Token("outbox", oncall())
	if a := r.send("POST", "/api/v1/pause", token); a.Code != http.StatusOK {
		t.Fatalf("%d %s\n%s", a.Code, a.Body, r.log)
	}
	if a := r.send("POST", "/api/v1/dead-letters/delete", token); a.Code != http.StatusForbidden {
		t.Errorf("an operator deletes: %d %s", a.Code, a.Body)
	}
	if a := r.send("GET", "/api/v1/audit", token); !strings.Contains(a.Body.String(), `"by":"oidc:ann"`) {
		t.Errorf("%d %s", a.Code, a.Body)
	}
	if code := r.status("of-the-file"); code != http.StatusOK {
		t.Errorf("a token of the file: %d", code)
	}
	if strings.Contains(r.log.String(), token) || strings.Contains(r.log.String(), strings.Split(token, ".")[2]) {
		t.Error("the log has the token")
	}
}

func TestTokensThatAreNotRightAreRefused(t *testing.T) {
	r := newRig(t)
	other := oidctest.New(t)
	hour := time.Hour
	now := time.Now()
	good := r.Claims("outbox", oncall())
	parts := strings.Split(r.Token("outbox", oncall()), ".")
	none := map[string]any{"alg": "none", "typ": "JWT"}
	for name, token := range map[string]string{
		"wrong audience":         r.Token("shop", oncall()),
		"no audience":            r.Token("outbox", oncall("aud", nil)),
		"expired":                r.Token("outbox", oncall("exp", now.Add(-hour).Unix())),
		"never expires":          r.Token("outbox", oncall("exp", nil)),
		"not yet":                r.Token("outbox", oncall("nbf", now.Add(hour).Unix())),
		"wrong issuer":           other.Token("outbox", oncall()),
		"issuer of another key":  other.Key().Sign(t, nil, good),
		"another key of this id": oidctest.NewRSA(t, "first").Sign(t, nil, good),
		"key of nobody":          oidctest.NewECDSA(t, "nobody").Sign(t, nil, good),
		"alg none":               oidctest.Part(t, none) + "." + oidctest.Part(t, good) + ".",
		"alg none, signed":       r.Key().Sign(t, none, good),
		"alg HS256":              r.Key().Sign(t, map[string]any{"alg": "HS256"}, good),
		"alg of another kind":    r.Key().Sign(t, map[string]any{"alg": "ES256"}, good),
		"key in the header":      oidctest.NewRSA(t, "x").Sign(t, map[string]any{"jku": other.URL + "/keys"}, good),
		"a logout token":         r.Key().Sign(t, map[string]any{"typ": "logout+jwt"}, good),
		"changed":                parts[0] + "." + oidctest.Part(t, r.Claims("outbox", map[string]any{"roles": "root"})) + "." + parts[2],
		"no signature":           parts[0] + "." + parts[1] + ".",
		"two parts":              parts[0] + "." + parts[1],
		"garbage":                "a.b.c",
		"empty":                  "",
	} {
		a := r.send("GET", "/api/v1/status", token)
		if a.Code != http.StatusUnauthorized || a.Header().Get("Content-Type") != "application/problem+json" {
			t.Errorf("%s: %d %s", name, a.Code, a.Body)
		}
	}
	if code := r.status(r.Token("outbox", oncall())); code != http.StatusOK {
		t.Errorf("the right one: %d", code)
	}
	if other.Fetches() > 0 {
		t.Error("the keys of another provider were asked for")
	}
}

func TestARoleIsTheHighestOfThoseThatAreKnown(t *testing.T) {
	for name, c := range map[string]struct {
		claim  string
		claims map[string]any
		want   admin.Role
	}{
		"a list":           {"", map[string]any{"roles": []string{"look", "root", "oncall"}}, admin.Admin},
		"a text":           {"", map[string]any{"roles": "oncall"}, admin.Operator},
		"no list of words": {"", map[string]any{"roles": "no root"}, ""},
		"within another":   {"realm_access.roles", map[string]any{"realm_access": map[string]any{"roles": []string{"look"}}}, admin.Viewer},
		"with dots":        {"https://shop/roles", map[string]any{"https://shop/roles": []string{"look"}}, admin.Viewer},
		"no role":          {"", nil, ""},
		"unknown role":     {"", map[string]any{"roles": []string{"admin"}}, ""},
		"no text":          {"", map[string]any{"roles": []any{1, nil, []string{"root"}, map[string]any{"root": true}}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, func(cfg *oidc.Config) { cfg.RolesClaim = c.claim })
			token := r.Token("outbox", c.claims)
			req := httptest.NewRequest(http.MethodGet, "/", nil)
			req.Header.Set("Authorization", "Bearer "+token)
			if p, err := r.auth.Auth(req); err != nil || p.Role != c.want {
				t.Errorf("%+v, %v", p, err)
			}
			if code := r.status(token); (code == http.StatusOK) != (c.want != "") || c.want == "" && code != http.StatusForbidden {
				t.Errorf("status %d", code)
			}
		})
	}
}

func TestANameThatCannotBeShownIsNobodys(t *testing.T) {
	r := newRig(t, func(c *oidc.Config) { c.NameClaim = "email" })
	for name, want := range map[any]int{"ann@example.com": 200, "Änne": 200, nil: 403, "": 403, 7: 403, "a\nb": 403, strings.Repeat("x", 251): 403, strings.Repeat("ä", 250): 200} {
		if code := r.status(r.Token("outbox", oncall("email", name))); code != want {
			t.Errorf("%v: %d, want %d", name, code, want)
		}
	}
}

func TestKeysAreRotated(t *testing.T) {
	r := newRig(t)
	old := r.Token("outbox", oncall())
	if code := r.status(old); code != http.StatusOK {
		t.Fatalf("the first key: %d", code)
	}
	r.Rotate(oidctest.NewECDSA(t, "second"))
	await.Until(t, "the new key is known", func() bool { return r.status(r.Token("outbox", oncall())) == http.StatusOK })
	// go-oidc answers who asked for the keys, and puts them in its cache after that.
	await.Until(t, "the key that was withdrawn is refused", func() bool { return r.status(old) == http.StatusUnauthorized })
}

func TestForgedTokensDoNotFloodTheIssuer(t *testing.T) {
	r := newRig(t)
	forged := oidctest.NewECDSA(t, "forged").Sign(t, nil, r.Claims("outbox", oncall()))
	start := time.Now()
	for range 200 {
		r.status(forged)
	}
	if most := 2 + int(time.Since(start)/(5*time.Second)); r.Fetches() > most {
		t.Errorf("the keys were fetched %d times, want %d at most", r.Fetches(), most)
	}
}

func TestAnIssuerThatIsDownAtTheStartIsWaitedFor(t *testing.T) {
	r := newRig(t)
	r.SetDown(true)
	if err := r.auth.Reach(t.Context()); err == nil || !strings.Contains(err.Error(), r.URL) {
		t.Errorf("error %v", err)
	}
	token := r.Token("outbox", oncall())
	a := r.send("GET", "/api/v1/status", token)
	if a.Code != http.StatusServiceUnavailable || a.Header().Get("Content-Type") != "application/problem+json" || a.Header().Get("Retry-After") == "" || strings.Contains(a.Body.String(), r.URL) {
		t.Errorf("%d %v %s", a.Code, a.Header(), a.Body)
	}
	if code := r.status("of-the-file"); code != http.StatusOK {
		t.Errorf("a token of the file: %d", code)
	}
	if code := r.status("wrong"); code != http.StatusUnauthorized {
		t.Errorf("a token of nobody: %d", code)
	}
	r.SetDown(false)
	await.Until(t, "it is back", func() bool { return r.status(token) == http.StatusOK })
	if err := r.auth.Reach(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestKnownKeysServeWhileTheIssuerIsDown(t *testing.T) {
	r := newRig(t)
	token := r.Token("outbox", oncall())
	if code := r.status(token); code != http.StatusOK {
		t.Fatalf("%d", code)
	}
	r.SetDown(true)
	next := oidctest.NewRSA(t, "next")
	unknown := next.Sign(t, nil, r.Claims("outbox", oncall()))
	await.Until(t, "a token of an unknown key cannot be verified", func() bool { return r.status(unknown) == http.StatusServiceUnavailable })
	if code := r.status(token); code != http.StatusOK {
		t.Errorf("a token of a known key: %d", code)
	}
	r.Rotate(next)
	r.SetDown(false)
	await.Until(t, "it is back", func() bool { return r.status(unknown) == http.StatusOK })
}

func TestAConfigurationThatCannotWorkIsRefused(t *testing.T) {
	good := oidc.Config{Issuer: "https://login.example.com", Audience: "outbox", Roles: roles}
	if err := good.Check(); err != nil {
		t.Error(err)
	}
	for want, change := range map[string]func(*oidc.Config){
		"set Issuer":   func(c *oidc.Config) { c.Issuer = "" },
		"with https":   func(c *oidc.Config) { c.Issuer = "http://login.example.com" },
		"without user": func(c *oidc.Config) { c.Issuer = "https://a:b@login.example.com" },
		"set Audience": func(c *oidc.Config) { c.Audience = "" },
		"set Roles":    func(c *oidc.Config) { c.Roles = nil },
		"use one of":   func(c *oidc.Config) { c.Roles = map[string]admin.Role{"x": "boss"} },
	} {
		c := good
		change(&c)
		if _, err := oidc.New(c); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "a:b") {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	p, err := oidc.New(good)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Auth(httptest.NewRequest(http.MethodGet, "/", nil)); !errors.Is(err, admin.ErrNoCredentials) {
		t.Errorf("error %v", err)
	}
}
