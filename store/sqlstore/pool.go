package sqlstore

import (
	"context"
	"database/sql"
	"sync/atomic"
)

// pool is one of the caller's.
type pool struct {
	*sql.DB
	// beside: the store has a second pool on the same database.
	beside bool
	right  atomic.Bool // it was asked about, or needs no question
}

// check asks the dialect, once, whether a pool of several connections can work.
func (p *pool) check(ctx context.Context, d *Dialect) error {
	if d.CheckPool == nil || p.right.Load() {
		return nil
	}
	if p.beside || p.Stats().MaxOpenConnections != 1 { // of one, all take turns
		if err := d.CheckPool(ctx, p.DB); err != nil {
			return errOurs{err}
		}
	}
	p.right.Store(true)
	return nil
}
