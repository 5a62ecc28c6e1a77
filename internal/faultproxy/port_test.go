package faultproxy

import (
	"net"
	"sync"
	"testing"
)

func TestThePortOfAProxyThatRefusesIsNotTakenByAnother(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	p := New(t, l.Addr().String())
	p.Refuse()
	other := &Proxy{t: t, server: p.server, budget: -1, links: map[*link]struct{}{}}
	other.changed = sync.NewCond(&other.mu)
	if other.take(p.Addr()) == nil {
		t.Errorf("two proxies have port %s", p.Addr())
		other.end()
	}
}
