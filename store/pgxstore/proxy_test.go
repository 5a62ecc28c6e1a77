package pgxstore_test

import (
	"bytes"
	"io"
	"net"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
)

// proxy stands between a pool and its server, and can lose an answer.
type proxy struct {
	listener net.Listener
	server   string
	losing   atomic.Bool
	lost     atomic.Int64

	mu    sync.Mutex
	conns []net.Conn
	wg    sync.WaitGroup
}

// newProxy leads to the server of that URL, and returns the URL of itself.
func newProxy(t testing.TB, address string) (*proxy, string) {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	var config net.ListenConfig
	listener, err := config.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{listener: listener, server: u.Host}
	p.wg.Go(p.accept)
	t.Cleanup(func() {
		_ = listener.Close()
		p.mu.Lock()
		for _, c := range p.conns {
			_ = c.Close()
		}
		p.mu.Unlock()
		p.wg.Wait()
	})
	u.Host = listener.Addr().String()
	return p, u.String()
}

// loseCommit makes the next answer to a COMMIT get lost, with its connection.
func (p *proxy) loseCommit() { p.losing.Store(true) }

func (p *proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		var dialer net.Dialer
		server, err := dialer.Dial("tcp", p.server)
		if err != nil {
			_ = client.Close()
			return
		}
		p.mu.Lock()
		p.conns = append(p.conns, client, server)
		p.mu.Unlock()
		p.wg.Go(func() {
			_, _ = io.Copy(server, client)
			_ = server.Close()
		})
		p.wg.Go(func() {
			p.answers(client, server)
			_ = client.Close()
			_ = server.Close()
		})
	}
}

// answers forwards the server's answers until the one to lose.
func (p *proxy) answers(client, server net.Conn) {
	buf := make([]byte, 64<<10)
	for {
		n, err := server.Read(buf)
		if p.losing.Load() && bytes.Contains(buf[:n], []byte("COMMIT\x00")) && p.losing.CompareAndSwap(true, false) {
			p.lost.Add(1)
			return
		}
		if _, writeErr := client.Write(buf[:n]); err != nil || writeErr != nil {
			return
		}
	}
}
