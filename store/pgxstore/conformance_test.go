package pgxstore_test

import (
	"testing"

	"github.com/sendoff-go/outbox/internal/dialecttest"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/storetest"
)

func TestMain(m *testing.M) { dialecttest.Main(m) }

func TestStoreKeepsTheLaws(t *testing.T) {
	for _, tt := range []struct{ server, mode string }{
		{testenv.Postgres15, "cache_statement"},
		{testenv.Postgres18, "cache_statement"},
		{testenv.PgBouncer, "exec"},
	} {
		t.Run(tt.server+" "+tt.mode, func(t *testing.T) {
			storetest.Run(t, subject(t, testenv.Database(t, tt.server), tt.mode), dialecttest.Oracle)
		})
	}
}
