package faultproxy

import (
	"net"
	"strconv"
	"testing"
)

// NewLike makes a proxy that would rather have the port of another.
func NewLike(t testing.TB, other *Proxy, server string) *Proxy {
	t.Helper()
	_, text, err := net.SplitHostPort(other.Addr())
	if err != nil {
		t.Fatal(err)
	}
	port, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return newAt(t, server, func() int { port++; return port - 1 })
}
