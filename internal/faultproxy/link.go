package faultproxy

import "net"

// link is one connection through the proxy.
type link struct {
	p              *Proxy
	client, server net.Conn
	closed         bool
	said           bool // the client has sent the word of HangAt
}

// copy passes on what comes in from one side, as far as the mode allows.
func (k *link) copy(to, from net.Conn, toServer bool) {
	buf := make([]byte, 32<<10)
	for {
		n, err := from.Read(buf)
		if n > 0 && !k.forward(to, buf[:n], toServer) {
			return
		}
		if err != nil {
			k.p.mu.Lock()
			defer k.p.mu.Unlock()
			k.close()
			return
		}
	}
}

// forward waits until b may pass, and reports whether the link goes on.
func (k *link) forward(to net.Conn, b []byte, toServer bool) bool {
	p := k.p
	p.mu.Lock()
	p.held += len(b)
	for !k.closed && k.waits(b, toServer) {
		p.changed.Wait()
	}
	p.held -= len(b)
	if k.closed {
		p.mu.Unlock()
		return false
	}
	last := false
	if toServer && p.budget >= 0 {
		if last = len(b) > p.budget; last {
			b = b[:p.budget]
		}
		p.budget -= len(b)
	}
	p.mu.Unlock()
	_, err := to.Write(b)
	if !last && err == nil {
		return true
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if last && p.budget >= 0 {
		p.budget = -1
		p.cut()
	}
	k.close()
	return false
}

// waits reports whether b is held back. The caller holds the lock.
func (k *link) waits(b []byte, toServer bool) bool {
	switch k.p.mode {
	case hang:
		return true
	case mute:
		return !toServer
	case hangAt:
		k.said = k.said || toServer && k.p.word.Match(b)
		return k.said
	}
	return false
}

// close ends both sides. The caller holds the lock.
func (k *link) close() {
	if k.closed {
		return
	}
	k.closed = true
	delete(k.p.links, k)
	_ = k.client.Close()
	_ = k.server.Close()
	k.p.changed.Broadcast()
}
