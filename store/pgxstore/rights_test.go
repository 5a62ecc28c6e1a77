package pgxstore_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/pgxstore"
)

func TestAMissingRightToConnectIsAWrongLogin(t *testing.T) {
	address := testenv.Database(t, testenv.Postgres15)
	all := openPool(t, address, "")
	role := "stranger_" + strings.ToLower(outbox.NewID())
	exec(t, all, "CREATE ROLE "+role+" LOGIN")
	t.Cleanup(func() {
		if _, err := all.Exec(context.WithoutCancel(t.Context()), "DROP ROLE "+role); err != nil {
			t.Error(err)
		}
	})
	exec(t, all, "REVOKE CONNECT ON DATABASE "+all.Config().ConnConfig.Database+" FROM PUBLIC")
	store := openStore(t, openPool(t, address, "", func(c *pgxpool.Config) { c.ConnConfig.User = role }), pgxstore.Config{})
	if _, err := store.Lanes(t.Context(), "", 10); !errors.Is(err, outbox.ErrStoreLogin) {
		t.Errorf("error %v, expected ErrStoreLogin", err)
	}
}
