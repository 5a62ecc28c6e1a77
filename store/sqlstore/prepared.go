package sqlstore

import (
	"context"
	"database/sql"
	"sync"
)

// prepared keeps the statements of an embedded database prepared. Its driver
// would parse each one on every use, which takes longer than running it.
// Drivers for servers have their own caches.
//
// Statements are prepared between transactions: the pool may have one
// connection, which is taken inside a transaction.
type prepared struct {
	db     *sql.DB
	mu     sync.Mutex
	ready  map[string]*sql.Stmt // by text
	sent   map[string]int       // how often sent as text
	wanted []string
}

// newPrepared returns nil, which prepares nothing, for databases on a server.
func newPrepared(db *sql.DB, d *Dialect) *prepared {
	if !d.Embedded {
		return nil
	}
	return &prepared{db: db, ready: make(map[string]*sql.Stmt), sent: make(map[string]int)}
}

// in returns a statement for use in a transaction, or nil if its text must be
// sent. A text that is sent a second time gets prepared.
func (p *prepared) in(ctx context.Context, tx contextQuerier, text string) *sql.Stmt {
	own, ok := tx.(*sql.Tx) // other types have hooks that must see the text
	if p == nil || !ok {
		return nil
	}
	p.mu.Lock()
	stmt := p.ready[text]
	if stmt == nil {
		if p.sent[text]++; p.sent[text] == 2 {
			p.wanted = append(p.wanted, text)
		}
	}
	p.mu.Unlock()
	if stmt == nil {
		return nil
	}
	return own.StmtContext(ctx, stmt)
}

// catchUp prepares what is wanted. What cannot be prepared is still sent as
// text, and then returns the reason itself.
func (p *prepared) catchUp(ctx context.Context) {
	if p == nil {
		return
	}
	p.mu.Lock()
	texts := p.wanted
	p.wanted = nil
	p.mu.Unlock()
	for _, text := range texts {
		stmt, err := p.db.PrepareContext(ctx, text) //nolint:sqlclosecheck // it is closed with its pool
		p.mu.Lock()
		if err == nil {
			p.ready[text] = stmt
		}
		delete(p.sent, text) // if it failed, it is wanted again later
		p.mu.Unlock()
	}
}

// elsewhere reports whether a transaction belongs to another pool than the one
// the statement was prepared on. Nothing was sent.
func elsewhere(err error) bool {
	return err != nil && err.Error() == "sql: Tx.Stmt: statement from different database used"
}
