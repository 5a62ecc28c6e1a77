// Package apitest makes requests of an OpenAPI document, for tests that go over
// every operation and forget none.
package apitest
