package pgxstore

import (
	"context"
	"errors"
	"sync"

	"github.com/jackc/pgx/v5/pgxpool"
)

// relayPool is where the relay's calls go: a pool that was given, or one that
// is derived from the application's own when it is first needed.
type relayPool struct {
	from  *pgxpool.Pool
	given *pgxpool.Pool
	conns int32

	mu     sync.Mutex
	opened *pgxpool.Pool
	closed bool
}

var errClosed = errors.New("the store was closed")

func (p *relayPool) get() (*pgxpool.Pool, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.closed:
		return nil, errClosed
	case p.given != nil:
		return p.given, nil
	case p.opened != nil:
		return p.opened, nil
	}
	c := p.from.Config() // a copy, with the hooks and the tracer of the original
	c.MaxConns, c.MinConns, c.MinIdleConns = p.conns, 0, 0
	opened, err := pgxpool.NewWithConfig(context.Background(), c) // connects when it is used
	if err != nil {
		return nil, err
	}
	p.opened = opened
	return opened, nil
}

func (p *relayPool) close() {
	p.mu.Lock()
	opened := p.opened
	p.opened, p.closed = nil, true
	p.mu.Unlock()
	if opened != nil {
		opened.Close()
	}
}
