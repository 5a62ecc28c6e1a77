package oidc

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"

	"github.com/sendoff-go/outbox/admin"
)

// Config configures a provider. The zero value of a field that is not required
// means its default.
type Config struct {
	// Issuer is the URL of the provider, as its tokens name it. Required.
	Issuer string
	// Audience must be among the audiences of a token. Required.
	Audience string
	// Roles maps values of the claim RolesClaim to roles here. Somebody with
	// several gets the highest of them; somebody with none is answered with
	// 403. Required.
	Roles map[string]admin.Role
	// RolesClaim is the claim with the roles or groups of a person: a text, or a
	// list of them. A claim within another is named with a dot, like
	// realm_access.roles. Default "roles".
	RolesClaim string
	// NameClaim is the claim with the name for the audit log, which shows it
	// behind "oidc:". Choose one that the provider gives nobody else, and that
	// people cannot change. Default "sub".
	NameClaim string
	// Client asks the provider. Its Timeout is how long to wait for an answer;
	// without one, that is 5 seconds. Default: a client without more settings.
	Client *http.Client
	// Logger gets why tokens were refused, without them. Default:
	// slog.Default().
	Logger *slog.Logger
}

// Check says what is wrong with a configuration.
func (c Config) Check() error {
	u, err := url.Parse(c.Issuer)
	switch {
	case c.Issuer == "":
		return errors.New("oidc: set Issuer, the URL of the provider")
	case err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.Scheme != "https" && (u.Scheme != "http" || !local(u.Hostname())):
		return errors.New("oidc: Issuer is not a URL with https and a host, and without user, query and fragment: copy the issuer of the provider's /.well-known/openid-configuration")
	case c.Audience == "":
		return errors.New("oidc: set Audience: without it, tokens for any other program would be accepted")
	case len(c.Roles) == 0:
		return errors.New("oidc: set Roles: without it, nobody may do anything")
	}
	for _, value := range slices.Sorted(maps.Keys(c.Roles)) {
		if role := c.Roles[value]; !role.AtLeast(admin.Viewer) {
			return fmt.Errorf("oidc: Roles gives %q the role %q: use one of %q", value, role, admin.Roles())
		}
	}
	return nil
}

// local reports whether a host is this machine, where nobody listens in.
func local(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

func (c Config) withDefaults() Config {
	c.RolesClaim, c.NameClaim = cmp.Or(c.RolesClaim, "roles"), cmp.Or(c.NameClaim, "sub")
	if c.Client == nil {
		c.Client = &http.Client{Timeout: patience}
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	return c
}
