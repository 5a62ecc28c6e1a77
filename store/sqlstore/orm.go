package sqlstore

import (
	"context"
	"database/sql"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// Tx is a transaction as ORMs hand it out. *sql.Tx and *sqlx.Tx implement it. A
// pool does not, because it can neither commit nor roll back, so writing
// outside of a transaction does not compile. Do not pass a bun.Tx, which
// rewrites placeholders: pass its field Tx, a *sql.Tx, to the plain writer.
type Tx interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	Commit() error
	Rollback() error
}

// ORM is the store's writing half for transactions other than *sql.Tx:
//
//	w := outbox.NewWriter(store.ORM(), r.HotPath())
//
// It is safe for concurrent use.
func (s *Store) ORM() outbox.TxStore[Tx] { return ormStore{s} }

// ORMLedger is the store's ledger for transactions other than *sql.Tx. It is
// safe for concurrent use.
func (s *Store) ORMLedger() driver.Ledger[Tx] { return ormStore{s} }

type ormStore struct{ *Store }

func isNil(tx Tx) bool {
	plain, ok := tx.(*sql.Tx)
	return tx == nil || (ok && plain == nil)
}

func (s ormStore) Insert(ctx context.Context, tx Tx, req outbox.InsertRequest) ([]outbox.Inserted, error) {
	if isNil(tx) {
		return nil, errNilTx
	}
	return s.insert(ctx, s.in(tx), req)
}

func (s ormStore) Begin(ctx context.Context) (tx Tx, commit, rollback func() error, err error) {
	plain, commit, rollback, err := s.Store.Begin(ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	return plain, commit, rollback, nil
}

// Record implements [driver.Ledger].
func (s ormStore) Record(ctx context.Context, tx Tx, group string, ids []string) ([]bool, error) {
	if isNil(tx) {
		return nil, errNilTx
	}
	return s.record(ctx, s.in(tx), group, ids)
}

// NotifyIn implements [driver.TxNotifyStore].
func (s ormStore) NotifyIn(ctx context.Context, tx Tx, lanes []string) error {
	if isNil(tx) {
		return errNilTx
	}
	return s.notifyIn(ctx, s.in(tx), lanes)
}
