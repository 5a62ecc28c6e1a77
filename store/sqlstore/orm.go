package sqlstore

import (
	"context"
	"database/sql"

	"github.com/sendoff-go/outbox"
)

// Tx is a transaction as ORMs hand it out. *sql.Tx and *sqlx.Tx are ones; a
// pool is none, because it can neither commit nor roll back, so that writing
// outside of a transaction does not compile. A bun.Tx rewrites placeholders and
// must not stand here: give its field Tx, a *sql.Tx, to the plain writer.
type Tx interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	Commit() error
	Rollback() error
}

// ORM is the store's writing half for transactions that are no *sql.Tx:
//
//	w := outbox.NewWriter(store.ORM(), relay)
//
// It is safe for concurrent use.
func (s *Store) ORM() outbox.TxStore[Tx] { return ormStore{s} }

type ormStore struct{ *Store }

func (s ormStore) Insert(ctx context.Context, tx Tx, req outbox.InsertRequest) ([]outbox.Inserted, error) {
	if plain, ok := tx.(*sql.Tx); tx == nil || (ok && plain == nil) {
		return nil, errNilTx
	}
	return s.insert(ctx, tx, req)
}

func (s ormStore) Begin(ctx context.Context) (tx Tx, commit, rollback func() error, err error) {
	plain, commit, rollback, err := s.Store.Begin(ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	return plain, commit, rollback, nil
}
