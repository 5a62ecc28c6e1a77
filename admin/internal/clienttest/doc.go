// Package clienttest tests that a client which a public generator makes of the
// OpenAPI document works with the API. It is a module of its own, so that the
// generator is no dependency of package admin.
package clienttest
