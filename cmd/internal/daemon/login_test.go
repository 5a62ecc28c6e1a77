package daemon

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox/internal/oidctest"
	"github.com/sendoff-go/outbox/internal/testenv"
)

// surfer is a browser with cookies.
func surfer(t *testing.T) *http.Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, Jar: jar}
}

// visit follows redirects, and returns where they end. The status is 0 if the daemon
// does not listen yet.
func visit(t *testing.T, c *http.Client, address string) (status int, at, text string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := c.Do(req)
	if err != nil {
		return 0, "", ""
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, res.Request.URL.String(), string(body)
}

func TestPeopleSignInToTheConsoleWithTheIssuer(t *testing.T) {
	addr, p := testenv.Address(t), oidctest.New(t)
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	at := "http://" + addr + "/console/"
	p.Register(oidctest.App{ID: "outbox", Secret: "s3cret of the console", RedirectURL: at + "callback"})
	p.SignIn(map[string]any{"groups": []string{"on-call"}, "email": "ann@example.com"})
	config := "outbox: {admin: {addr: '" + addr + "', console: {session-key: 0123456789abcdef0123456789abcdef}, oidc: {issuer: '" + p.URL +
		"', audience: outbox, roles-claim: groups, name-claim: email, roles: {on-call: operator}, login: {redirect-url: '" + at + "callback', client-secret: 's3cret of the console', name: Shop}}}" + quiet
	r := load(t, newFile(t), config)
	r.run()
	ann := surfer(t)
	r.until("the login page is there", func() bool {
		status, _, text := visit(t, ann, at+"login")
		return status == http.StatusOK && strings.Contains(text, "Sign in with Shop</a>") && !strings.Contains(text, `name="secret"`)
	})
	status, end, text := visit(t, ann, at+"signin?to=settings")
	if status != http.StatusOK || end != at+"settings" || !strings.Contains(text, "<span>oidc:ann@example.com, operator</span>") {
		t.Fatalf("%d at %s: %s", status, end, text)
	}
	if !strings.Contains(text, "redirect-url") || strings.Contains(text, "s3cret") || strings.Contains(r.log.String(), "s3cret") {
		t.Errorf("the secret is shown, or the settings are not: %s", text)
	}
	p.SignIn(map[string]any{"groups": []string{"sales"}, "email": "bob@example.com"})
	if status, _, text := visit(t, surfer(t), at+"signin"); status != http.StatusForbidden || !strings.Contains(text, "You have no role here: ask an admin for one.") {
		t.Errorf("without a role: %d %s", status, text)
	}
	p.SetDown(true)
	if status, end, _ := visit(t, ann, at+"types"); status != http.StatusOK || end != at+"types" {
		t.Errorf("a session needs the issuer: %d at %s", status, end)
	}
}

func TestSessionsEndWithTheRoleThatTheyHad(t *testing.T) {
	key := func(roles string) string {
		r := load(t, newFile(t), "outbox: {admin: {addr: '127.0.0.1:1', console: {session-key: 0123456789abcdef0123456789abcdef}, oidc: {issuer: 'https://login.example.com', audience: x, roles: "+roles+"}}"+quiet)
		return string(r.d.sessionKey())
	}
	if key("{a: admin, b: viewer}") != key("{b: viewer, a: admin}") {
		t.Error("the same roles have other keys")
	}
	if key("{a: admin, b: viewer}") == key("{a: viewer, b: viewer}") {
		t.Error("other roles have the same key")
	}
}
