// Package oidctest is an OpenID Connect provider for tests: a server with a
// configuration and keys, which signs whatever it is told to.
package oidctest
