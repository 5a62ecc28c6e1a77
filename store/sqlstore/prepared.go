package sqlstore

import (
	"context"
	"database/sql"
	"sync"
)

// prepared keeps the statements of a database within the process ready. Its
// driver would read the text of each anew every time, which takes longer than
// to run it. A server's driver has its own ways.
//
// Statements are made ready between transactions: the pool may have one
// connection, and inside a transaction that is taken.
type prepared struct {
	db     *sql.DB
	mu     sync.Mutex
	ready  map[string]*sql.Stmt // by text
	sent   map[string]int       // how often, as a text
	wanted []string
}

// newPrepared is nil, and so prepares nothing, for databases elsewhere.
func newPrepared(db *sql.DB, d *Dialect) *prepared {
	if !d.Embedded {
		return nil
	}
	return &prepared{db: db, ready: make(map[string]*sql.Stmt), sent: make(map[string]int)}
}

// in is a statement for use in a transaction, or nil if its text must be sent.
// What is sent a second time is wanted.
func (p *prepared) in(ctx context.Context, tx contextQuerier, text string) *sql.Stmt {
	own, ok := tx.(*sql.Tx) // others have hooks that are to see the text
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

// catchUp makes ready what is wanted. What cannot be is sent as a text as
// before, and says itself why.
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
		delete(p.sent, text) // where it failed, to be wanted again
		p.mu.Unlock()
	}
}

// elsewhere tells that a transaction belongs to another pool than the one that
// the statement was prepared on. Nothing was sent.
func elsewhere(err error) bool {
	return err != nil && err.Error() == "sql: Tx.Stmt: statement from different database used"
}
