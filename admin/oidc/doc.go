// Package oidc lets people use the REST API of package admin with a token of an
// OpenID Connect provider: an ID token or an access token that is a JWT, sent as
// a bearer token.
//
//	p, err := oidc.New(oidc.Config{
//		Issuer:   "https://login.example.com/realms/shop",
//		Audience: "outbox",
//		Roles:    map[string]admin.Role{"shop-oncall": admin.Operator},
//	})
//	...
//	h, err := admin.New(admin.Config{Store: store, Auth: p.Auth})
//
// The provider is asked for its keys when the first token comes. While it
// cannot be reached, its tokens are answered with 503, and other ways to log
// in, combined with [admin.FirstOf], keep working. How people get these tokens is
// between them and the provider.
//
// In a browser, people sign in to the console of package admin/console with the
// provider, by a [Login]:
//
//	login, err := oidc.NewLogin(p, oidc.LoginConfig{
//		ClientSecret: secret,
//		RedirectURL:  "https://shop.example.com/console/callback",
//	})
//	...
//	c, err := console.New(console.Config{API: api, SignIn: login})
package oidc
