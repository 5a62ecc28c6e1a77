package daemon

import (
	"net/http"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox/cmd/internal/daemon/config"
	"github.com/sendoff-go/outbox/internal/oidctest"
	"github.com/sendoff-go/outbox/internal/testenv"
)

// quiet is the part of a configuration that delivers nothing.
const quiet = ", publisher: {enabled: false}, consumer: {enabled: true}}"

func withIssuer(t *testing.T, addr string, p *oidctest.Provider, more string) *rig {
	t.Helper()
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	return load(t, newFile(t), "outbox: {admin: {addr: '"+addr+"', oidc: {issuer: '"+p.URL+"', audience: outbox, roles-claim: groups, name-claim: email, roles: {on-call: operator, look: viewer}}"+more+"}"+quiet)
}

func TestTokensOfAnIssuerAreAccepted(t *testing.T) {
	addr, p := testenv.Address(t), oidctest.New(t)
	r := withIssuer(t, addr, p, ", tokens: {ci: {token: "+token+"}}")
	r.run()
	ann := p.Token("outbox", map[string]any{"groups": []string{"on-call"}, "email": "ann@example.com"})
	r.until("the API is there", func() bool {
		code, _ := ask(t, http.DefaultClient, "POST", "http://"+addr+"/api/v1/pause", ann, `{"all":true}`)
		return code == http.StatusOK
	})
	if code, text := ask(t, http.DefaultClient, "GET", "http://"+addr+"/api/v1/audit", token, ""); code != http.StatusOK || !strings.Contains(text, `"by":"oidc:ann@example.com"`) {
		t.Errorf("%d %s", code, text)
	}
	nobody := p.Token("outbox", map[string]any{"groups": []string{"sales"}, "email": "bob@example.com"})
	for path, token := range map[string]string{"/metrics": nobody, "/api/v1/status": nobody} {
		if code, text := ask(t, http.DefaultClient, "GET", "http://"+addr+path, token, ""); code != http.StatusForbidden {
			t.Errorf("%s without a role: %d %s", path, code, text)
		}
	}
	if code, text := ask(t, http.DefaultClient, "GET", "http://"+addr+"/readyz", nobody, ""); code != http.StatusOK || text != "ready\n" {
		t.Errorf("%d %s", code, text)
	}
	if code, _ := ask(t, http.DefaultClient, "GET", "http://"+addr+"/metrics", ann, ""); code != http.StatusOK {
		t.Errorf("metrics: %d", code)
	}
}

func TestADaemonStartsWithoutItsIssuer(t *testing.T) {
	addr, p := testenv.Address(t), oidctest.New(t)
	p.SetDown(true)
	r := withIssuer(t, addr, p, ", tokens: {ci: {token: "+token+"}}")
	r.run()
	ann := p.Token("outbox", map[string]any{"groups": "look", "email": "ann@example.com"})
	r.until("it says so", func() bool { return strings.Contains(r.log.String(), "until its issuer can be reached") })
	r.until("others are let in", func() bool {
		code, _ := ask(t, http.DefaultClient, "GET", "http://"+addr+"/api/v1/status", token, "")
		return code == http.StatusOK
	})
	for path, want := range map[string]int{"/api/v1/status": http.StatusServiceUnavailable, "/metrics": http.StatusServiceUnavailable, "/readyz": http.StatusOK} {
		if code, text := ask(t, http.DefaultClient, "GET", "http://"+addr+path, ann, ""); code != want || strings.Contains(text, p.URL) {
			t.Errorf("%s: %d %s", path, code, text)
		}
	}
	p.SetDown(false)
	r.until("it is let in", func() bool {
		code, _ := ask(t, http.DefaultClient, "GET", "http://"+addr+"/api/v1/status", ann, "")
		return code == http.StatusOK
	})
}

func TestWhoGuessesIsBlockedOnEveryPath(t *testing.T) {
	addr := testenv.Address(t)
	r := load(t, newFile(t), "outbox: {admin: {addr: '"+addr+"', failed-logins: 3, profiling: true, tokens: {ci: {role: admin, token: "+token+"}}}"+quiet)
	r.run()
	r.until("the API is there", func() bool {
		code, _ := ask(t, http.DefaultClient, "GET", "http://"+addr+"/api/v1/status", token, "")
		return code == http.StatusOK
	})
	for _, path := range []string{"/metrics", "/debug/pprof/", "/readyz", "/api/v1/status", "/metrics", "/readyz", "/api/v1/status"} {
		if code, _ := ask(t, http.DefaultClient, "GET", "http://"+addr+path, "wrong", ""); code == http.StatusOK && path != "/readyz" {
			t.Errorf("%s lets a guess in", path)
		}
	}
	for _, path := range []string{"/metrics", "/debug/pprof/", "/api/v1/status"} {
		if code, text := ask(t, http.DefaultClient, "GET", "http://"+addr+path, token, ""); code != http.StatusTooManyRequests {
			t.Errorf("%s: %d %s", path, code, text)
		}
	}
	if code, _ := get(t, addr, "/livez"); code != http.StatusOK {
		t.Errorf("/livez: %d", code)
	}
}

func TestSettingsOfTheAPIThatCannotWorkAreToldAtTheStart(t *testing.T) {
	const (
		issuer = "issuer: 'https://login.example.com'"
		known  = issuer + ", audience: x, roles: {a: viewer}"
		back   = "redirect-url: 'https://x/console/callback'"
	)
	for content, want := range map[string]string{
		"{addr: ':1', oidc: {audience: x}}":                                                     "oidc.issuer is missing",
		"{addr: ':1', oidc: {" + issuer + ", roles: {a: viewer}}}":                              "oidc.audience is missing",
		"{addr: ':1', oidc: {" + issuer + ", audience: x}}":                                     "oidc.roles is empty",
		"{addr: ':1', oidc: {" + issuer + ", audience: x, roles: {a: boss}}}":                   "use one of viewer, operator, admin",
		"{addr: ':1', oidc: {issuer: 'http://example.com', audience: x, roles: {a: viewer}}}":   "oidc.issuer is not a URL with https",
		"{addr: ':1', oidc: {login: {redirect-url: 'https://x/callback'}}}":                     "oidc.issuer is missing",
		"{addr: ':1', oidc: {" + known + ", login: {client-secret: x}}}":                        "login.redirect-url is missing",
		"{addr: ':1', oidc: {" + known + ", login: {redirect-url: 'http://x/callback'}}}":       "login.redirect-url is not a URL with https",
		"{addr: ':1', oidc: {" + known + ", login: {redirect-url: 'https://x/console/'}}}":      "login.redirect-url does not end with /callback",
		"{addr: ':1', oidc: {" + known + ", login: {" + back + ", scopes: [email]}}}":           "login.scopes has no openid",
		"{addr: ':1', oidc: {" + known + ", login: {" + back + ", client-secret: ' x'}}}":       "login.client-secret begins or ends",
		"{addr: ':1', console: {enabled: false}, oidc: {" + known + ", login: {" + back + "}}}": "login is for the console, which is off",
		"{oidc: {" + issuer + ", audience: x, roles: {a: viewer}}}":                             "outbox.admin.addr is missing",
		"{addr: ':1', mask: [card.number]}":                                                     "admin.mask the mask",
		"{addr: ':1', trusted-proxies: [proxy]}":                                                "neither an address nor a network",
		"{addr: ':1', trusted-proxies: [0.0.0.0/0]}":                                            "every address",
		"{addr: ':1', profiling: true}":                                                         "which nobody has",
		"{addr: ':1', max-requests: 0}":                                                         "max-requests",
	} {
		_, _, err := config.Read("outbox.yaml", []byte("outbox: {database: {url: 'sqlite://x.db'}, publisher: {sender: {type: log}, events: {a: {topic: x}}}, admin: "+content+"}"), nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", content, err, want)
		}
	}
}
