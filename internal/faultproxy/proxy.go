package faultproxy

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"net/url"
	"regexp"
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
	taken  net.PacketConn // keeps other proxies off the port
	wg     sync.WaitGroup

	mu       sync.Mutex
	changed  *sync.Cond // mode, ended or a closed link
	mode     mode
	budget   int            // bytes that still pass to the server; negative: no limit
	word     *regexp.Regexp // of HangAt
	listener net.Listener
	links    map[*link]struct{}
	ended    bool
	accepted int
	held     int // bytes that wait
}

type mode uint8

const (
	pass mode = iota
	refuse
	hang
	hangAt
	mute
)

// New makes a proxy to the server at that host and port. It ends with the test.
func New(t testing.TB, server string) *Proxy {
	t.Helper()
	p := &Proxy{t: t, server: server, budget: -1, links: map[*link]struct{}{}}
	p.changed = sync.NewCond(&p.mu)
	// Below the ports that the kernel hands out, so that the port is still
	// free when the proxy listens again after Refuse.
	for try := 0; p.addr == ""; try++ {
		addr := fmt.Sprintf("127.0.0.1:%d", 10000+rand.IntN(10000))
		if err := p.take(addr); err != nil && try == 100 {
			t.Fatalf("no free port for a proxy: %v", err)
		}
	}
	t.Cleanup(p.end)
	return p
}

// ByURL makes a proxy to the server of a URL, and returns the URL that leads
// through it.
func ByURL(t testing.TB, server string) (p *Proxy, through string) {
	t.Helper()
	u, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	p = New(t, u.Host)
	u.Host = p.Addr()
	return p, u.String()
}

// take makes the port the proxy's until it ends. It is that of a UDP socket too,
// which stays while the proxy refuses connections: other proxies, of this process
// and of others, choose from the same ports.
func (p *Proxy) take(addr string) error {
	var config net.ListenConfig
	taken, err := config.ListenPacket(context.Background(), "udp", addr)
	if err != nil {
		return err
	}
	if err := p.listen(addr); err != nil {
		_ = taken.Close()
		return err
	}
	p.addr, p.taken = addr, taken
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

// Held returns the number of bytes that it holds back now, as far as it has read
// them.
func (p *Proxy) Held() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.held
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
	_ = p.taken.Close()
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
