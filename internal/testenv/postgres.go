package testenv

import (
	"context"

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
