package memstore_test

import (
	"context"
	"strconv"
	"testing"

	"github.com/sendoff-go/outbox/inboxtest"
	"github.com/sendoff-go/outbox/internal/ledgertest"

	"go.uber.org/goleak"

	"github.com/sendoff-go/outbox/store/memstore"
	"github.com/sendoff-go/outbox/storetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestStoreKeepsTheLaws(t *testing.T) { storetest.Run(t, open, open) }

func open(testing.TB) storetest.Subject[*memstore.Tx] {
	s := memstore.New(memstore.Config{})
	return storetest.Subject[*memstore.Tx]{
		Store: s,
		Change: func(_ context.Context, tx *memstore.Tx) error {
			return tx.Put("changes", "1")
		},
		Changes: func(ctx context.Context) (int, error) {
			v, found, err := s.Get(ctx, "changes")
			if err != nil || !found {
				return 0, err
			}
			return strconv.Atoi(v)
		},
		Savepoint:  func(_ context.Context, tx *memstore.Tx, name string) error { return tx.Savepoint(name) },
		RollbackTo: func(_ context.Context, tx *memstore.Tx, name string) error { return tx.RollbackTo(name) },
		Expire:     s.Expire,
		LockRow:    func(_ testing.TB, id string) func() { return s.LockRow(id) },
		LockKept:   func(_ testing.TB, _ storetest.Power, id string) func() { return s.LockKept(id) },
		Down: func(testing.TB) storetest.Store[*memstore.Tx] {
			down := memstore.New(memstore.Config{})
			down.Close()
			return down
		},
	}
}

func TestLedgerKeepsTheLaws(t *testing.T) { inboxtest.Run(t, ledgertest.Memory, ledgertest.Memory) }
