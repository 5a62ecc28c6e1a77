package faultproxy

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"sync"
	"testing"
	"time"
)

// Proxy forwards connections to a server, with the faults it is told to make.
// It is safe for concurrent use.
type Proxy struct {
	t      testing.TB
	server string
	addr   string
	held   net.Listener // keeps others from addr
	wg     sync.WaitGroup

	mu       sync.Mutex
	changed  *sync.Cond // mode, ended or a closed link
	mode     mode
	budget   int // bytes that still pass to the server; negative: no limit
	listener net.Listener
	links    map[*link]struct{}
	ended    bool
	accepted int
}

type mode uint8

const (
	pass mode = iota
	refuse
	hang
	mute
)

// New makes a proxy to the server at that host and port. It ends with the test.
func New(t testing.TB, server string) *Proxy {
	t.Helper()
	return newAt(t, server, func() int { return lowest + rand.IntN(ports) })
}

// Below the ports that the kernel hands out, so that only proxies take these.
const (
	lowest = 10000
	ports  = 5000
)

// newAt makes a proxy at the first port that is free.
func newAt(t testing.TB, server string, port func() int) *Proxy {
	t.Helper()
	p := &Proxy{t: t, server: server, budget: -1, links: map[*link]struct{}{}}
	p.changed = sync.NewCond(&p.mu)
	for try := 0; p.addr == ""; try++ {
		if err := p.settle(port()); err != nil && try == 100 {
			t.Fatalf("no free port for a proxy: %v", err)
		}
	}
	t.Cleanup(p.end)
	return p
}

// settle takes a port, and holds another for as long as the proxy lives: while it
// refuses, nobody listens on the first, and a proxy of another process could take it.
func (p *Proxy) settle(port int) error {
	var config net.ListenConfig
	held, err := config.Listen(context.Background(), "tcp", fmt.Sprintf("127.0.0.1:%d", port+ports))
	if err != nil {
		return err
	}
	addr := fmt.Sprintf("127.0.0.1:%d", port)
	if err := p.listen(addr); err != nil {
		_ = held.Close()
		return err
	}
	p.addr, p.held = addr, held
	return nil
}

// Addr returns the host and port to connect to.
func (p *Proxy) Addr() string { return p.addr }

// Accepted returns the number of accepted connections.
func (p *Proxy) Accepted() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.accepted
}

func (p *Proxy) listen(addr string) error {
	var config net.ListenConfig
	l, err := config.Listen(context.Background(), "tcp", addr)
	if err != nil {
		return err
	}
	p.listener = l
	p.wg.Go(func() { p.accept(l) })
	return nil
}

func (p *Proxy) end() {
	p.mu.Lock()
	p.ended = true
	if p.listener != nil {
		_ = p.listener.Close()
	}
	p.cut()
	p.mu.Unlock()
	p.wg.Wait()
	_ = p.held.Close()
}

func (p *Proxy) accept(l net.Listener) {
	for {
		client, err := l.Accept()
		if err != nil {
			return
		}
		p.wg.Go(func() { p.connect(client) })
	}
}

func (p *Proxy) connect(client net.Conn) {
	dialer := net.Dialer{Timeout: time.Minute}
	server, err := dialer.Dial("tcp", p.server)
	if err != nil {
		_ = client.Close()
		return
	}
	k := &link{p: p, client: client, server: server}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.accepted++
	if p.ended || p.mode == refuse {
		k.close()
		return
	}
	p.links[k] = struct{}{}
	p.wg.Go(func() { k.copy(server, client, true) })
	p.wg.Go(func() { k.copy(client, server, false) })
}
