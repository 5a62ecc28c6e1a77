package faultproxy

import (
	"regexp"
	"time"
)

// Pass ends every fault. Bytes that were held back go on; connections that were
// cut stay cut.
func (p *Proxy) Pass() { p.set(pass, -1) }

// Refuse cuts all connections and refuses new ones.
func (p *Proxy) Refuse() { p.cutAnd(refuse) }

// Cut cuts all connections once; new ones work. Bytes that were held back are lost.
func (p *Proxy) Cut() { p.cutAnd(pass) }

// CutAfter lets n more bytes pass to the server, counted over all connections,
// and then cuts them all once; new ones work.
func (p *Proxy) CutAfter(n int) { p.set(pass, n) }

// Hang accepts connections and holds back everything sent on them, in both
// directions.
func (p *Proxy) Hang() { p.set(hang, -1) }

// HangAt holds back, in both directions, everything on a connection from when its
// client sends the word, and the word too. Others pass. The word must come in one
// piece. Case does not count, and letters around it make another word: COMMITTED is
// not COMMIT.
func (p *Proxy) HangAt(word string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.word = regexp.MustCompile(`(?i)\b` + regexp.QuoteMeta(word) + `\b`)
	p.enter(hangAt, -1)
}

// Mute passes on what is sent to the server, and holds back its answers.
func (p *Proxy) Mute() { p.set(mute, -1) }

func (p *Proxy) set(m mode, budget int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.enter(m, budget)
}

// cutAnd cuts all connections before what was held back could pass.
func (p *Proxy) cutAnd(m mode) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cut()
	p.enter(m, -1)
}

// enter changes the mode. The caller holds the lock.
func (p *Proxy) enter(m mode, budget int) {
	p.mode, p.budget = m, budget
	for k := range p.links {
		k.said = false
	}
	p.changed.Broadcast()
	if m == refuse {
		if p.listener != nil {
			_ = p.listener.Close()
			p.listener = nil
		}
		return
	}
	for deadline := time.Now().Add(time.Minute); p.listener == nil && !p.ended; {
		err := p.listen(p.addr)
		if err != nil && time.Now().After(deadline) {
			p.t.Errorf("the proxy cannot listen on %s again: %v", p.addr, err)
			return
		}
	}
}

// cut closes all connections. The caller holds the lock.
func (p *Proxy) cut() {
	for k := range p.links {
		k.close()
	}
}
