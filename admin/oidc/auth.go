package oidc

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/coreos/go-oidc/v3/oidc"

	"github.com/sendoff-go/outbox/admin"
)

// Auth is an [admin.Auth] that lets in whoever sends a token of the issuer. For
// any other bearer token it returns [admin.ErrUnauthenticated], since that can
// be one of [admin.Tokens]. It is safe for concurrent use.
func (p *Provider) Auth(r *http.Request) (admin.Person, error) {
	scheme, raw, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return admin.Person{}, admin.ErrNoCredentials
	}
	token, err := p.verify(r.Context(), strings.TrimSpace(raw), p.config.Audience)
	if err != nil {
		return admin.Person{}, err
	}
	return p.person(token)
}

// verify checks that raw is a valid token of the issuer for the audience, and
// returns it. The error is [admin.ErrUnauthenticated] if it is not.
func (p *Provider) verify(ctx context.Context, raw, audience string) (*oidc.IDToken, error) {
	if !p.claims(raw) {
		return nil, admin.ErrUnauthenticated
	}
	known, err := p.reached(context.WithoutCancel(ctx)) // other requests use the answer as well
	if err != nil {
		return nil, err
	}
	var failed error
	v := oidc.NewVerifier(p.config.Issuer, known.keys, &oidc.Config{ClientID: audience, SupportedSigningAlgs: algorithms})
	token, err := v.Verify(context.WithValue(ctx, failureKey{}, &failed), raw)
	switch {
	case errors.Is(failed, errKeys), failed != nil && ctx.Err() != nil:
		return nil, fmt.Errorf("oidc: a token of %s cannot be verified now: %w", p.config.Issuer, failed)
	case err != nil:
		p.config.Logger.Info("outbox: a token of the OpenID Connect issuer was refused", "issuer", p.config.Issuer, "error", err)
		return nil, admin.ErrUnauthenticated
	}
	return token, nil
}

// person returns the person whose token it is.
func (p *Provider) person(token *oidc.IDToken) (admin.Person, error) {
	var claims map[string]any
	if err := token.Claims(&claims); err != nil {
		return admin.Person{}, fmt.Errorf("oidc: the claims of a token cannot be read: %w", err)
	}
	return admin.Person{Name: p.name(claims), Role: p.role(claims)}, nil
}

// types are the types of tokens that say who sends them. Others, like those that
// end a session, are signed with the same keys.
var types = []string{"", "jwt", "at+jwt", "application/at+jwt"}

// claims reports whether a token claims to be one of the issuer.
func (p *Provider) claims(raw string) bool {
	head, rest, _ := strings.Cut(raw, ".")
	body, _, ok := strings.Cut(rest, ".")
	var header struct {
		Type string `json:"typ"`
	}
	var claims struct {
		Issuer string `json:"iss"`
	}
	return ok && part(head, &header) && part(body, &claims) &&
		claims.Issuer == p.config.Issuer && slices.Contains(types, strings.ToLower(header.Type))
}

func part(text string, v any) bool {
	raw, err := base64.RawURLEncoding.DecodeString(text)
	return err == nil && json.Unmarshal(raw, v) == nil
}

// maxName is how long a name in the audit log may be.
const maxName = 255

// name returns the name for the audit log, or "" if the token has none that can
// be shown. No token and no user of package admin has a colon in its name.
func (p *Provider) name(claims map[string]any) string {
	text, _ := find(claims, p.config.NameClaim).(string)
	name := "oidc:" + text
	if text == "" || utf8.RuneCountInString(name) > maxName || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
		p.config.Logger.Warn("outbox: a token of the OpenID Connect issuer has no name that can be shown", "issuer", p.config.Issuer, "claim", p.config.NameClaim)
		return ""
	}
	return name
}

// role returns the highest role of a person, or "".
func (p *Provider) role(claims map[string]any) (role admin.Role) {
	values, list := find(claims, p.config.RolesClaim).([]any)
	if !list {
		values = []any{find(claims, p.config.RolesClaim)}
	}
	for _, v := range values {
		text, _ := v.(string)
		if given, known := p.config.Roles[text]; known && !role.AtLeast(given) {
			role = given
		}
	}
	return role
}

// find returns the claim of a name: one with exactly that name, or one within
// others.
func find(claims map[string]any, name string) any {
	if v, ok := claims[name]; ok {
		return v
	}
	outer, inner, dotted := strings.Cut(name, ".")
	within, ok := claims[outer].(map[string]any)
	if !dotted || !ok {
		return nil
	}
	return find(within, inner)
}
