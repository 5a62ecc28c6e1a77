package oidc

import (
	"cmp"
	"errors"
	"net/url"
	"slices"
	"strings"
	"unicode"
)

// LoginConfig configures a login. The zero value of a field that is not required
// means its default.
type LoginConfig struct {
	// ClientID is the id under which the provider knows the console, and the
	// audience of the console's ID tokens. Default: Audience of the provider.
	ClientID string
	// ClientSecret proves to the provider that a request comes from the console.
	// Default: none, for a public client, which PKCE protects.
	ClientSecret string
	// RedirectURL is the URL of the console's callback page, as browsers reach it
	// and as it is registered with the provider, like
	// https://shop.example.com/console/callback. Required.
	RedirectURL string
	// Scopes are asked for; openid must be among them. Default openid and profile.
	Scopes []string
	// Name is what the button says after "Sign in with". Default: the host of the
	// issuer.
	Name string
}

// Check says what is wrong with a configuration.
func (c LoginConfig) Check() error {
	u, err := url.Parse(c.RedirectURL)
	switch {
	case c.RedirectURL == "":
		return errors.New("oidc: set RedirectURL, the URL of the console's callback page, like https://shop.example.com/console/callback")
	case err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.Scheme != "https" && (u.Scheme != "http" || !local(u.Hostname())):
		return errors.New("oidc: RedirectURL is not a URL with https and a host, and without user, query and fragment: write it like https://shop.example.com/console/callback")
	case !strings.HasSuffix(u.Path, "/callback"):
		return errors.New("oidc: RedirectURL does not end with /callback, where the console expects people back: write it like https://shop.example.com/console/callback")
	case len(c.Scopes) > 0 && !slices.Contains(c.Scopes, "openid"):
		return errors.New("oidc: Scopes has no openid, without which the provider sends no ID token: add it")
	case slices.ContainsFunc(c.Scopes, func(s string) bool { return s == "" || strings.ContainsFunc(s, unicode.IsSpace) }):
		return errors.New("oidc: Scopes has an entry that is empty or has a space: write each scope as an entry of its own")
	}
	return nil
}

func (c LoginConfig) withDefaults(p Config) LoginConfig {
	c.ClientID, c.Name = cmp.Or(c.ClientID, p.Audience), cmp.Or(c.Name, host(p.Issuer))
	if len(c.Scopes) == 0 {
		c.Scopes = []string{"openid", "profile"}
	}
	return c
}

// host returns the host of an issuer, by which people know it.
func host(issuer string) string {
	u, err := url.Parse(issuer)
	if err != nil {
		return issuer
	}
	return u.Hostname()
}
