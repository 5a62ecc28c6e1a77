package config

import (
	"strings"

	"github.com/sendoff-go/outbox/admin/oidc"
)

// Console returns the configuration for signing in to the console.
func (l OIDCLogin) Console() oidc.LoginConfig {
	return oidc.LoginConfig{ClientID: l.ClientID, ClientSecret: l.ClientSecret, RedirectURL: l.RedirectURL, Scopes: l.Scopes, Name: l.Name}
}

// checkLogin checks how people sign in to the console with the provider.
func (l *loader) checkLogin() {
	const at = "admin.oidc.login"
	a := l.config.Admin
	o := a.OIDC.Login
	switch {
	case o.RedirectURL == "" && (o.ClientID != "" || o.ClientSecret != "" || o.Name != ""):
		l.wrong(at+".redirect-url", "is missing, so that nobody can sign in: set it to the URL of the console's callback page, like https://shop.example.com/console/callback")
	case o.RedirectURL == "":
	case !a.Console.Enabled:
		l.wrong(at, "is for the console, which is off: set outbox.admin.console.enabled to true, or remove it")
	case o.ClientSecret != strings.TrimSpace(o.ClientSecret):
		l.wrong(at+".client-secret", "begins or ends with a space: remove it")
	default:
		if err := o.Console().Check(); err != nil {
			text := strings.TrimPrefix(err.Error(), "oidc: ")
			setting, problem, _ := strings.Cut(text, " ")
			l.wrong(at+map[string]string{"RedirectURL": ".redirect-url", "Scopes": ".scopes"}[setting], "%s", problem)
		}
	}
}
