package pgx_test

import (
	"context"
	"flag"
	"fmt"
	"net/url"
	"os"
	"testing"

	"github.com/jackc/pgx/v5"
	"go.uber.org/goleak"

	"github.com/sendoff-go/outbox/internal/testenv"
)

// TestMain gives the example its own database, and skips it without a server:
// an example has no testing.T to do so.
func TestMain(m *testing.M) {
	server := os.Getenv("OUTBOX_TEST_POSTGRES15")
	if server == "" {
		flag.Parse()
		if !testenv.Require() {
			fmt.Println("OUTBOX_TEST_POSTGRES15 is not set: the example is left out")
			_ = flag.Set("test.skip", "^Example") // the flag exists
		}
		goleak.VerifyTestMain(m)
		return
	}
	database, drop, err := create(context.Background(), server)
	if err != nil {
		fmt.Fprintln(os.Stderr, "cannot create a database for the example:", err)
		os.Exit(1)
	}
	_ = os.Setenv("DATABASE_URL", database) // the name and the value are valid
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		if err := drop(); err != nil {
			fmt.Fprintln(os.Stderr, "cannot drop the example's database:", err)
			code = max(code, 1)
		}
		os.Exit(code)
	}))
}

func create(ctx context.Context, server string) (database string, drop func() error, err error) {
	u, err := url.Parse(server)
	if err != nil {
		return "", nil, err
	}
	name := fmt.Sprintf("ob_example_%d", os.Getpid())
	u.Path = "/" + name
	return u.String(),
		func() error { return exec(ctx, server, "DROP DATABASE "+name+" WITH (FORCE)") },
		exec(ctx, server, "CREATE DATABASE "+name+" TEMPLATE template0")
}

func exec(ctx context.Context, server, statement string) error {
	conn, err := pgx.Connect(ctx, server)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	_, err = conn.Exec(ctx, statement)
	return err
}
