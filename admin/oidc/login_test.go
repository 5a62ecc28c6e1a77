package oidc_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/admin/console"
	"github.com/sendoff-go/outbox/admin/oidc"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/await"
	"github.com/sendoff-go/outbox/internal/oidctest"
)

const (
	notHere  = "This sign-in was not begun in this browser, or too long ago: sign in again."
	notSure  = "The provider does not confirm who you are: sign in again."
	noAnswer = "The provider cannot be asked now: try again later."
)

func TestSigningInGivesTheRoleOfTheClaims(t *testing.T) {
	for value, role := range roles {
		t.Run(string(role), func(t *testing.T) {
			r := newLoginRig(t)
			r.SignIn(map[string]any{"roles": []string{"other", value}})
			b := r.browser()
			first := b.visit("audit?by=x&action=pause")
			if first.status != http.StatusOK || !strings.HasPrefix(first.at, r.at+"login?") {
				t.Fatalf("%d at %s", first.status, first.at)
			}
			p := b.visit(b.button(first))
			if p.status != http.StatusOK || p.at != r.at+"audit?by=x&action=pause" || !strings.Contains(p.text, "<span>oidc:ann, "+string(role)+"</span>") {
				t.Fatalf("%d at %s: %s\n%s", p.status, p.at, p.text, r.log)
			}
			paused := b.post("pause", url.Values{"all": {"1"}})
			log, _, err := r.store.ListAudit(t.Context(), driver.AuditFilter{}, 0, 10)
			if err != nil {
				t.Fatal(err)
			}
			if may := role.AtLeast(admin.Operator); (paused.status == http.StatusOK) != may || (len(log) == 1 && log[0].By == "oidc:ann") != may {
				t.Errorf("pause: %d, audit log %+v", paused.status, log)
			}
		})
	}
}

func TestACallbackThatIsNotThisBrowsersIsRefused(t *testing.T) {
	r := newLoginRig(t)
	b := r.browser()
	back := b.callback()
	u, err := url.Parse(back)
	if err != nil {
		t.Fatal(err)
	}
	lured := r.browser()
	lured.refused(lured.visit(back), http.StatusBadRequest, notHere)
	q := u.Query()
	for _, state := range []string{"", "wrong", q.Get("state")[1:]} {
		b.refused(b.visit("callback?"+url.Values{"state": {state}, "code": q["code"]}.Encode()), http.StatusBadRequest, notHere)
	}
	if p := b.visit(back); p.status != http.StatusOK || p.at != r.at+"types" { // none of them used it up
		t.Fatalf("%d at %s: %s", p.status, p.at, p.text)
	}
	if p := b.visit(back); p.status != http.StatusBadRequest || !strings.Contains(p.text, notHere) {
		t.Errorf("replayed: %d %s", p.status, p.text)
	}
}

func TestACodeIsGoodForOneSignIn(t *testing.T) {
	r := newLoginRig(t)
	first, second := r.browser(), r.browser()
	used := first.callback()
	if p := first.visit(used); p.status != http.StatusOK {
		t.Fatalf("%d %s", p.status, p.text)
	}
	unused := r.browser().callback()
	for name, other := range map[string]string{"used": used, "of another browser": unused} {
		u, err := url.Parse(other)
		if err != nil {
			t.Fatal(err)
		}
		own, err := url.Parse(second.callback())
		if err != nil {
			t.Fatal(err)
		}
		t.Log(name)
		second.refused(second.visit("callback?"+url.Values{"state": own.Query()["state"], "code": u.Query()["code"]}.Encode()), http.StatusUnauthorized, notSure)
	}
	own, _ := url.Parse(second.callback())
	second.refused(second.visit("callback?"+url.Values{"state": own.Query()["state"]}.Encode()), http.StatusUnauthorized, notSure)
}

func TestARefusalByTheProviderIsShown(t *testing.T) {
	r := newLoginRig(t)
	b := r.browser()
	r.Refuse("access_denied")
	b.refused(b.visit("signin"), http.StatusForbidden, "Access was denied: you declined, or you may not use this program.")
	r.Refuse("<server_error>")
	b.refused(b.visit("signin"), http.StatusServiceUnavailable, "The provider could not sign you in: try again, or ask an admin.")
	if !strings.Contains(r.log.String(), "<server_error>") {
		t.Errorf("log %s", r.log)
	}
	b.refused(b.visit("callback?error=access_denied"), http.StatusBadRequest, notHere)
}

func TestWithoutARoleNobodySignsIn(t *testing.T) {
	r := newLoginRig(t)
	b := r.browser()
	r.SignIn(map[string]any{"roles": []string{"sales", "admin"}})
	b.refused(b.visit("signin"), http.StatusForbidden, "You have no role here: ask an admin for one.")
	r.SignIn(oncall("sub", "a\nb"))
	b.refused(b.visit("signin"), http.StatusForbidden, "You have no role here: ask an admin for one.")
}

func TestIDTokensOfAnotherSignInAreRefused(t *testing.T) {
	r := newLoginRig(t)
	b := r.browser()
	for name, claims := range map[string]map[string]any{
		"another nonce":    oncall("nonce", "other"),
		"no nonce":         oncall("nonce", nil),
		"another audience": oncall("aud", "shop"),
		"another issuer":   oncall("iss", "https://login.example.com"),
		"expired":          oncall("exp", 1),
	} {
		t.Log(name)
		r.SignIn(claims)
		b.refused(b.visit("signin"), http.StatusUnauthorized, notSure)
	}
}

func TestTheLoginPageSaysThatTheProviderIsDown(t *testing.T) {
	r := newLoginRig(t)
	b := r.browser()
	r.SetDown(true)
	b.refused(b.visit("signin?to=types"), http.StatusServiceUnavailable, noAnswer)
	r.SetDown(false)
	await.Until(t, "it is asked again", func() bool { return b.visit("signin?to=types").at == r.at+"types" })
	other := r.browser()
	back := other.callback()
	r.SetDown(true)
	other.refused(other.visit(back), http.StatusServiceUnavailable, noAnswer)
	if strings.Contains(r.log.String(), clientSecret) {
		t.Error("the log has the secret")
	}
}

func TestAWrongClientSecretIsLogged(t *testing.T) {
	r := newLoginRig(t, func(_ *console.Config, c *oidc.LoginConfig) { c.ClientSecret = "wrong" })
	b := r.browser()
	b.refused(b.visit("signin"), http.StatusServiceUnavailable, noAnswer)
	if !strings.Contains(r.log.String(), "rejects the client") {
		t.Errorf("log %s", r.log)
	}
}

func TestTheClientAuthenticatesAsTheProviderAsks(t *testing.T) {
	for name, c := range map[string]struct {
		secret  string
		methods []string
	}{
		"in the body":             {clientSecret, []string{"private_key_jwt", "client_secret_post"}},
		"in the header":           {clientSecret, []string{"client_secret_post", "client_secret_basic"}},
		"without saying":          {clientSecret, nil},
		"not, as a public client": {"", nil},
	} {
		t.Run(name, func(t *testing.T) {
			r := newLoginRig(t, func(_ *console.Config, l *oidc.LoginConfig) { l.ClientID, l.ClientSecret = "browsers", c.secret })
			r.Register(oidctest.App{ID: "browsers", Secret: c.secret, RedirectURL: r.at + "callback"}, c.methods...)
			if p := r.browser().visit("signin?to=types"); p.status != http.StatusOK || p.at != r.at+"types" {
				t.Errorf("%d at %s: %s\n%s", p.status, p.at, p.text, r.log)
			}
		})
	}
}

func TestWhoGuessesCodesIsBlocked(t *testing.T) {
	r := newLoginRig(t, func(c *console.Config, _ *oidc.LoginConfig) { c.API.FailedLogins, c.API.NoLoginLimit = 2, true })
	b := r.browser()
	for _, want := range []int{http.StatusUnauthorized, http.StatusUnauthorized, http.StatusTooManyRequests} {
		u, _ := url.Parse(b.callback())
		if p := b.visit("callback?" + url.Values{"state": u.Query()["state"], "code": {"guess"}}.Encode()); p.status != want {
			t.Errorf("%d, want %d: %s", p.status, want, p.text)
		}
	}
	b.refused(b.visit("signin"), http.StatusTooManyRequests, "Too many sign-ins from your address failed: try again in a minute.")
}

func TestALoginThatCannotWorkIsRefused(t *testing.T) {
	p, err := oidc.New(oidc.Config{Issuer: "https://login.example.com/realms/shop", Audience: "outbox", Roles: roles})
	if err != nil {
		t.Fatal(err)
	}
	good := oidc.LoginConfig{RedirectURL: "https://shop.example.com/console/callback"}
	login, err := oidc.NewLogin(p, good)
	if err != nil {
		t.Fatal(err)
	}
	if got := login.Name(); got != "login.example.com" {
		t.Errorf("name %q", got)
	}
	for want, change := range map[string]func(*oidc.LoginConfig){
		"set RedirectURL":                func(c *oidc.LoginConfig) { c.RedirectURL = "" },
		"with https":                     func(c *oidc.LoginConfig) { c.RedirectURL = "http://shop.example.com/console/callback" },
		"without user":                   func(c *oidc.LoginConfig) { c.RedirectURL += "?x=1" },
		"does not end with /callback":    func(c *oidc.LoginConfig) { c.RedirectURL = "https://shop.example.com/console/" },
		"no openid":                      func(c *oidc.LoginConfig) { c.Scopes = []string{"profile"} },
		"a space: write each scope as":   func(c *oidc.LoginConfig) { c.Scopes = []string{"openid", "profile email"} },
		"is not a URL with https and a ": func(c *oidc.LoginConfig) { c.RedirectURL = "/console/callback" },
	} {
		c := good
		change(&c)
		if _, err := oidc.NewLogin(p, c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}
