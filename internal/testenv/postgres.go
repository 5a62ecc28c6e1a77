package testenv

import (
	"context"
	"net/url"
	"os"
	"testing"

	"github.com/jackc/pgx/v5"
)

// postgresServer creates and drops databases on a PostgreSQL server.
type postgresServer struct{ url string }

// The default template cannot be copied while a session is connected to it, so
// the other one is.
func (p postgresServer) create(ctx context.Context, database string) error {
	return p.execute(ctx, "CREATE DATABASE "+database+" TEMPLATE template0")
}

func (p postgresServer) drop(ctx context.Context, database string) error {
	return p.execute(ctx, "DROP DATABASE "+database+" WITH (FORCE)")
}

func (p postgresServer) execute(ctx context.Context, statement string) error {
	config, err := pgx.ParseConfig(p.url)
	if err != nil {
		return err
	}
	return executeOn(ctx, config, statement)
}

func executeOn(ctx context.Context, config *pgx.ConnConfig, statement string) error {
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return err
	}
	_, err = conn.Exec(ctx, statement)
	if closeErr := conn.Close(ctx); err == nil {
		err = closeErr
	}
	return err
}

// passwordRole is the role that must give a password, according to the
// pg_hba.conf of scripts/lib/postgres.sh.
const passwordRole = "outbox_password"

// PasswordDatabase is [Database] on a PostgreSQL server, with a user who is let
// in only with the password of the URL. The user has no rights in the database.
//
// It needs a server that scripts/with-servers has started. Without one the test
// is skipped, or fails if [Require] says so.
func PasswordDatabase(t testing.TB, name string) *url.URL {
	t.Helper()
	URL(t, name)
	if os.Getenv(variable(name)+"_CTL") == "" {
		miss(t, "%s was not started by scripts/with-servers, which would let %s in only with a password: unset %s", name, passwordRole, variable(name))
	}
	u, err := url.Parse(Database(t, name))
	if err != nil {
		t.Fatal(err)
	}
	create := "DO $$ BEGIN CREATE ROLE " + passwordRole + " LOGIN PASSWORD 'right';" +
		" EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$" // other tests create it too
	if err := (postgresServer{u.String()}).execute(t.Context(), create); err != nil {
		t.Fatalf("cannot create a role on %s: %v", name, err)
	}
	u.User = url.UserPassword(passwordRole, "right")
	if err := (postgresServer{u.String()}).execute(t.Context(), "SELECT 1"); err != nil {
		t.Fatalf("%s refuses the right password: %v", name, err)
	}
	return u
}
