package consoletest

import (
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/admin/console"
	"github.com/sendoff-go/outbox/admin/oidc"
	"github.com/sendoff-go/outbox/internal/oidctest"
	"github.com/sendoff-go/outbox/internal/testenv"
)

// later is a login that is made once the address of the console is known.
type later struct{ *oidc.Login }

// The provider is another site, whose redirect brings the cookie of the sign-in, and
// to which the policy of the pages must let a button lead.
func TestSomebodySignsInOnTheSiteOfAProvider(t *testing.T) {
	login, issuer := &later{}, oidctest.New(t)
	s := openSite(t, openShop(t), func(c *console.Config) { c.SignIn = login })
	s.address, s.also = strings.Replace(s.address, "127.0.0.1", "localhost", 1), issuer.URL
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	p := testenv.Must(oidc.New(oidc.Config{
		Issuer: issuer.URL, Audience: "outbox", Roles: map[string]admin.Role{"oncall": admin.Operator},
		Client: &http.Client{Transport: transport, Timeout: patience}, Logger: silent(),
	}))
	back := s.address + "callback"
	login.Login = testenv.Must(oidc.NewLogin(p, oidc.LoginConfig{RedirectURL: back, Name: "Shop ID"}))
	issuer.Register(oidctest.App{ID: "outbox", RedirectURL: back})
	b := s.open(t)
	issuer.Refuse("access_denied")
	b.visit("types?x=1").click(`.login a.primary`).sees("Access was denied: you declined, or you may not use this program.")
	b.click(`.prefs [value=dark]`).becomes(`document.documentElement.dataset.theme === "dark"`)
	if at := b.at(); at != "login?to=.%2Ftypes%3Fx%3D1" {
		t.Errorf("the theme leads to %q", at)
	}
	issuer.SignIn(map[string]any{"roles": "oncall"})
	b.click(`.login a.primary`).sees("oidc:ann, operator")
	if at := b.at(); at != "types?x=1" {
		t.Errorf("came to %q", at)
	}
	b.visit("types").sees("oidc:ann, operator")
	b.do(chromedp.Reload())
	b.sees("oidc:ann, operator")
}
