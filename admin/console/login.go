package console

import (
	"errors"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/sendoff-go/outbox/admin"
)

type loginForm struct {
	To   string // relative to the top
	User string

	// Set by showLogin:
	Form     bool   // for tokens and users
	Provider string // "": none
}

const noRole = "You have no role here: ask an admin for one."

func (c *Console) loginPage(w http.ResponseWriter, r *http.Request) {
	if _, ok := c.sessions.person(r); ok {
		see(w, within(r.URL.Query().Get("to")))
		return
	}
	c.showLogin(w, r, http.StatusOK, "", loginForm{To: within(r.URL.Query().Get("to"))})
}

// showLogin shows the login page, with what went wrong. A change of the language
// leads to it, and not to the page that was asked for, which can be a callback.
func (c *Console) showLogin(w http.ResponseWriter, r *http.Request, status int, problem string, f loginForm) {
	f.Form = !c.cfg.OnlySignIn
	if c.cfg.SignIn != nil {
		f.Provider = c.cfg.SignIn.Name()
	}
	c.render(w, r, status, &view{Screen: "login", Title: "Sign in", Problem: problem, Data: f, Here: "login?to=" + escape(f.To)})
}

// login asks the API's Auth about what somebody entered: a token, or a user and a
// password.
func (c *Console) login(w http.ResponseWriter, r *http.Request) {
	user, secret := r.PostFormValue("user"), r.PostFormValue("secret")
	to := within(r.PostFormValue("to"))
	ask := r.Clone(r.Context())
	ask.Header.Del("Authorization")
	if user != "" {
		ask.SetBasicAuth(user, secret)
	} else if secret != "" {
		ask.Header.Set("Authorization", "Bearer "+secret)
	}
	p, err := c.auth(ask)
	var blocked *admin.BlockedError
	problem, status := "", http.StatusUnauthorized
	switch {
	case err == nil && p.Name != "" && p.Role.AtLeast(admin.Viewer):
		c.sessions.begin(w, p, c.secure(r))
		see(w, to)
		return
	case errors.As(err, &blocked):
		problem, status = "Too many wrong passwords came from your address: try again in a minute.", http.StatusTooManyRequests
	case err == nil:
		problem, status = noRole, http.StatusForbidden
	case errors.Is(err, admin.ErrUnauthenticated):
		problem = "Nobody has this token, or this user and password."
	default:
		c.log.Error("outbox: credentials could not be checked", "error", err)
		problem, status = "This cannot be checked now: try again later.", http.StatusServiceUnavailable
	}
	c.showLogin(w, r, status, problem, loginForm{To: to, User: user})
}

func (c *Console) logout(w http.ResponseWriter, r *http.Request) {
	c.sessions.end(w, r)
	see(w, "./login")
}

// secure reports whether the browser speaks TLS, to this process or to a proxy
// that is trusted.
func (c *Console) secure(r *http.Request) bool {
	if r.TLS != nil {
		return true
	}
	at, err := netip.ParseAddrPort(r.RemoteAddr)
	trusted := err == nil && slices.ContainsFunc(c.cfg.API.TrustedProxies, func(p netip.Prefix) bool { return p.Contains(at.Addr().Unmap().WithZone("")) })
	return trusted && strings.EqualFold(r.Header.Get("X-Forwarded-Proto"), "https")
}

// prefer keeps a language or a theme in a cookie, for all pages.
func (c *Console) prefer(w http.ResponseWriter, r *http.Request) {
	for _, name := range []string{"lang", "theme"} {
		if v := r.PostFormValue(name); v != "" && len(v) < 10 {
			http.SetCookie(w, &http.Cookie{Name: "outbox_" + name, Value: v, MaxAge: 365 * 86400, HttpOnly: true, Secure: c.secure(r), SameSite: http.SameSiteLaxMode})
		}
	}
	see(w, within(r.PostFormValue("to")))
}

// within keeps an address that a request names inside the console: it is relative
// to the top, has no host, and never goes up, in whichever way a browser or a proxy
// counts the segments of its path.
func within(to string) string {
	u, err := url.Parse(to)
	if err != nil || u.IsAbs() || u.Host != "" || strings.HasPrefix(to, "/") || strings.Contains(to, "\\") || slices.Contains(strings.Split(u.Path, "/"), "..") {
		return "./"
	}
	return "./" + strings.TrimPrefix(to, "./")
}

// see sends the browser to another page. The address stays relative, as a proxy in
// front needs it.
func see(w http.ResponseWriter, to string) {
	w.Header().Set("Location", to)
	w.WriteHeader(http.StatusSeeOther)
}

func escape(s string) string { return url.QueryEscape(s) }
