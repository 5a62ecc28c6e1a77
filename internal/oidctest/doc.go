// Package oidctest is an OpenID Connect provider for tests: a server with a
// configuration and keys, which signs whatever it is told to, and lets people sign
// in to a client by the authorization code flow with PKCE.
package oidctest
