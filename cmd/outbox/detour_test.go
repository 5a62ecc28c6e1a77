package main

import (
	"io"
	"net"
	"sync"
	"testing"

	"github.com/sendoff-go/outbox/internal/testenv"
)

// detour is a way to a server that can be shut and opened.
type detour struct {
	t        *testing.T
	addr, to string

	mu    sync.Mutex
	l     net.Listener
	conns []net.Conn
	ways  sync.WaitGroup
}

// newDetour is shut at first.
func newDetour(t *testing.T, to string) *detour {
	t.Helper()
	d := &detour{t: t, addr: testenv.Address(t), to: to}
	t.Cleanup(d.shut)
	return d
}

func (d *detour) open() {
	d.t.Helper()
	l, err := net.Listen("tcp", d.addr)
	if err != nil {
		d.t.Fatal(err)
	}
	d.mu.Lock()
	d.l = l
	d.mu.Unlock()
	d.ways.Go(func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			d.ways.Go(func() { d.carry(in) })
		}
	})
}

func (d *detour) carry(in net.Conn) {
	out, err := net.Dial("tcp", d.to)
	if err != nil {
		_ = in.Close()
		return
	}
	d.mu.Lock()
	shut := d.l == nil
	d.conns = append(d.conns, in, out)
	d.mu.Unlock()
	if shut { // while it was dialling
		_, _ = in.Close(), out.Close()
	}
	var both sync.WaitGroup
	for _, pair := range [][2]net.Conn{{in, out}, {out, in}} {
		both.Go(func() {
			_, _ = io.Copy(pair[0], pair[1]) // until either end goes
			_ = pair[0].Close()
		})
	}
	both.Wait()
}

// shut cuts everything off.
func (d *detour) shut() {
	d.mu.Lock()
	if d.l != nil {
		_ = d.l.Close()
	}
	for _, c := range d.conns {
		_ = c.Close()
	}
	d.l, d.conns = nil, nil
	d.mu.Unlock()
	d.ways.Wait()
}
