package config

import (
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strings"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/admin/oidc"
)

// Provider is what the provider of tokens is made of.
func (o OIDC) Provider() oidc.Config {
	c := oidc.Config{Issuer: o.Issuer, Audience: o.Audience, RolesClaim: o.RolesClaim, NameClaim: o.NameClaim, Roles: map[string]admin.Role{}}
	for value, role := range o.Roles {
		c.Roles[value] = admin.Role(role)
	}
	return c
}

// checkOIDC checks the provider of tokens.
func (l *loader) checkOIDC() {
	o := l.config.Admin.OIDC
	if l.problems.within([]string{"outbox", "admin", "oidc"}) { // it could not be read
		return
	}
	if o.Issuer == "" {
		if o.Audience != "" || len(o.Roles) > 0 || o.Login.RedirectURL != "" || o.Login.ClientSecret != "" {
			l.wrong("admin.oidc.issuer", "is missing: set it to the issuer of the provider, like https://login.example.com/realms/shop")
		}
		return
	}
	if o.Audience == "" {
		l.wrong("admin.oidc.audience", "is missing, so that tokens for any other program would do: set it to the client id of this one")
	}
	if len(o.Roles) == 0 {
		l.wrong("admin.oidc.roles", "is empty, so that nobody may do anything: write roles: {VALUE: operator} for values of the claim %s", o.RolesClaim)
	}
	wrong := false
	for _, value := range slices.Sorted(maps.Keys(o.Roles)) {
		if role := o.Roles[value]; !admin.Role(role).AtLeast(admin.Viewer) {
			l.wrong(dotted([]string{"admin", "oidc", "roles", value}), "%q: use one of viewer, operator, admin", role)
			wrong = true
		}
	}
	if err := o.Provider().Check(); err != nil && !wrong && o.Audience != "" && len(o.Roles) > 0 { // what is left is the issuer
		l.wrong("admin.oidc.issuer", "%s", strings.TrimPrefix(err.Error(), "oidc: Issuer "))
	}
	l.checkLogin()
}

// Proxies are the networks of `trusted-proxies`.
func (a *Admin) Proxies() ([]netip.Prefix, error) {
	var all []netip.Prefix
	for _, text := range a.TrustedProxies {
		p, err := netip.ParsePrefix(text)
		if at, e := netip.ParseAddr(text); e == nil {
			p, err = netip.PrefixFrom(at.WithZone(""), at.BitLen()), nil
		}
		switch {
		case err != nil:
			return nil, fmt.Errorf("%q is neither an address nor a network: write 10.0.0.7 or 10.0.0.0/8", text)
		case p.Bits() == 0:
			return nil, fmt.Errorf("%q is every address, so that anybody could choose the one that counts: name the proxies", text)
		}
		all = append(all, p.Masked())
	}
	return all, nil
}
