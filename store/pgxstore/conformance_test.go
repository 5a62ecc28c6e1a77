package pgxstore_test

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/memstore"
	"github.com/sendoff-go/outbox/storetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestStoreKeepsTheLaws(t *testing.T) {
	for _, tt := range []struct{ server, mode string }{
		{testenv.Postgres15, "cache_statement"},
		{testenv.Postgres18, "cache_statement"},
		{testenv.PgBouncer, "exec"},
	} {
		t.Run(tt.server+" "+tt.mode, func(t *testing.T) {
			storetest.Run(t, subject(testenv.Database(t, tt.server), tt.mode), oracle)
		})
	}
}

func oracle(testing.TB) storetest.Subject[*memstore.Tx] {
	s := memstore.New(memstore.Config{})
	return storetest.Subject[*memstore.Tx]{Store: s, Expire: s.Expire}
}
