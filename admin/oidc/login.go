package oidc

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/sendoff-go/outbox/admin"
)

// Login signs people in to a console, by the authorization code flow with PKCE. Make
// one with [NewLogin]. It is safe for concurrent use.
type Login struct {
	provider *Provider
	config   LoginConfig
}

// NewLogin makes a login with a provider. The provider's Config says how the claims
// of an ID token become a role and a name. NewLogin sends no request.
func NewLogin(p *Provider, c LoginConfig) (*Login, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	return &Login{p, c.withDefaults(p.config)}, nil
}

// Name is what the button to sign in says.
func (l *Login) Name() string { return l.config.Name }

// AuthURL returns the URL where people sign in. It fails until the issuer has been
// reached once.
func (l *Login) AuthURL(ctx context.Context, state, nonce, challenge string) (string, error) {
	known, err := l.provider.reached(context.WithoutCancel(ctx)) // other requests use the answer as well
	if err != nil {
		return "", err
	}
	if known.endpoint.AuthURL == "" || known.endpoint.TokenURL == "" {
		return "", fmt.Errorf("oidc: the issuer %s names no authorization endpoint or no token endpoint: people cannot sign in with it", l.provider.config.Issuer)
	}
	return l.client(known).AuthCodeURL(state, oidc.Nonce(nonce),
		oauth2.SetAuthURLParam("code_challenge", challenge), oauth2.SetAuthURLParam("code_challenge_method", "S256")), nil
}

// Person exchanges a code for an ID token, and returns the person whose token it
// is. It returns [admin.ErrUnauthenticated] if the code or the token is not valid.
func (l *Login) Person(ctx context.Context, code, verifier, nonce string) (admin.Person, error) {
	p := l.provider
	known, err := p.reached(context.WithoutCancel(ctx))
	if err != nil {
		return admin.Person{}, err
	}
	asking, cancel := context.WithTimeout(oidc.ClientContext(ctx, p.client()), p.patience())
	defer cancel()
	answer, err := l.client(known).Exchange(asking, code, oauth2.VerifierOption(verifier))
	if err != nil {
		return admin.Person{}, l.refused(err)
	}
	raw, _ := answer.Extra("id_token").(string)
	if raw == "" {
		return admin.Person{}, fmt.Errorf("oidc: the issuer %s returned no ID token for a code: allow the client %s the scope openid", p.config.Issuer, l.config.ClientID)
	}
	token, err := p.verify(ctx, raw, l.config.ClientID)
	if err != nil {
		return admin.Person{}, err
	}
	if subtle.ConstantTimeCompare([]byte(token.Nonce), []byte(nonce)) != 1 {
		p.config.Logger.Info("outbox: an ID token of the OpenID Connect issuer was refused: it belongs to another sign-in", "issuer", p.config.Issuer)
		return admin.Person{}, admin.ErrUnauthenticated
	}
	return p.person(token)
}

// refused returns the error of an exchange that failed: the issuer refused the
// code, or something is wrong with this client or the issuer. It shows only the
// error in the issuer's answer: the rest can contain anything.
func (l *Login) refused(err error) error {
	issuer := l.provider.config.Issuer
	var answer *oauth2.RetrieveError
	switch {
	case !errors.As(err, &answer):
		return fmt.Errorf("oidc: cannot exchange a code with the issuer %s: %w", issuer, err)
	case answer.ErrorCode == "invalid_grant":
		l.provider.config.Logger.Info("outbox: the OpenID Connect issuer refused a code", "issuer", issuer, "reason", answer.ErrorDescription)
		return admin.ErrUnauthenticated
	case answer.ErrorCode == "invalid_client":
		return fmt.Errorf("oidc: the issuer %s rejects the client %q with this secret: check both", issuer, l.config.ClientID)
	}
	return fmt.Errorf("oidc: the issuer %s answered the exchange of a code with %s, error %q %q", issuer, answer.Response.Status, answer.ErrorCode, answer.ErrorDescription)
}

func (l *Login) client(known *issuer) *oauth2.Config {
	at := known.endpoint
	if l.config.ClientSecret == "" { // a public client sends only its id
		at.AuthStyle = oauth2.AuthStyleInParams
	}
	return &oauth2.Config{ClientID: l.config.ClientID, ClientSecret: l.config.ClientSecret, Endpoint: at, RedirectURL: l.config.RedirectURL, Scopes: l.config.Scopes}
}
