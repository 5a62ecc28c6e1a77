package dburl

import (
	"context"
	"errors"
	"math"
	"regexp"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/pgstore"
	"github.com/sendoff-go/outbox/store/pgxstore"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

const postgresVersion = "SHOW server_version"

// PGX opens postgres:// through pgx's own interface.
func PGX() Driver { return postgres("pgx", openPGX) }

// PostgresSQL opens postgres:// through database/sql.
func PostgresSQL() Driver { return postgres("sql", openPostgresSQL) }

func postgres(name string, open func(context.Context, string, Options) (*Handle, error)) Driver {
	return Driver{
		Schemes: []string{"postgres", "postgresql"},
		Name:    name,
		Example: "postgres://user:password@localhost:5432/shop",
		Dialect: pgstore.Dialect,
		Parse: func(url string) error {
			_, err := postgresConfig(url, 1)
			return err
		},
		Open: open,
		Kind: postgresKind,
	}
}

func postgresConfig(address string, conns int) (*pgxpool.Config, error) {
	u, err := parse(address)
	if err != nil {
		return nil, err
	}
	c, err := pgxpool.ParseConfig(address)
	if err != nil { // it hides the password
		return nil, &Problem{Kind: Usage, Err: err, Advice: "write it like postgres://user:password@localhost:5432/shop"}
	}
	if !hasParameter(u, "pool_max_conns") {
		c.MaxConns = int32(min(conns, math.MaxInt32))
	}
	return c, nil
}

// searchPath finds the setting in the parameter options, which is a command line.
var searchPath = regexp.MustCompile(`search_path\s*=\s*(\S+)`)

// refuseSearchPath keeps a URL from meaning one schema and the tables another:
// their names always carry theirs, so that no setting of a session can lead a
// writer and a relay to different tables.
func refuseSearchPath(c *pgxpool.Config, t sqlstore.Tables) error {
	params := c.ConnConfig.RuntimeParams
	path := params["search_path"]
	if found := searchPath.FindStringSubmatch(params["options"]); path == "" && found != nil {
		path = found[1]
	}
	if path == "" || t.Schema != "" || strings.Contains(t.Event, ".") {
		return nil
	}
	return usage("the database URL sets search_path to %s, but the outbox does not use the search path: name the schema of its tables with --schema (daemon: outbox.tables.schema), for example %s or public", path, path)
}

func openPGX(ctx context.Context, address string, o Options) (*Handle, error) {
	c, err := postgresConfig(address, o.Conns)
	if err == nil {
		err = refuseSearchPath(c, o.Tables)
	}
	if err != nil {
		return nil, err
	}
	pool, err := pgxpool.NewWithConfig(ctx, c)
	if err != nil {
		return nil, err
	}
	store, err := pgxstore.New(pool, pgxstore.Config{Tables: o.Tables, StatementTimeout: o.StatementTimeout})
	if err != nil {
		pool.Close()
		return nil, err
	}
	exec := func(ctx context.Context, tx pgx.Tx, query string, args []any) error {
		_, err := tx.Exec(ctx, numbered(query), args...)
		return err
	}
	return &Handle{
		Store:  store,
		Schema: store,
		Waker: func(listen string) (driver.Waker, error) {
			if listen == "" {
				return store.Waker(nil), nil
			}
			c, err := pgx.ParseConfig(listen)
			if err != nil { // it hides the password
				return nil, &Problem{Kind: Usage, Err: err, Advice: "correct the URL to listen on"}
			}
			return store.Waker(c), nil
		},
		writer:   writerOf(store, exec),
		consumer: consumerOf(store, exec),
		pool:     pgxPool(pool, store.Close),
		version:  postgresVersion,
	}, nil
}

func pgxPool(p *pgxpool.Pool, closeStore func()) pool {
	return pool{
		exec: func(ctx context.Context, query string, args ...any) error {
			_, err := p.Exec(ctx, numbered(query), args...)
			return err
		},
		text: func(ctx context.Context, query string, args ...any) (text string, err error) {
			// The text protocol, so that any type comes as text.
			args = append([]any{pgx.QueryExecModeSimpleProtocol}, args...)
			return text, p.QueryRow(ctx, numbered(query), args...).Scan(&text)
		},
		rows: pgxRows(p),
		ping: p.Ping,
		close: func() error {
			closeStore()
			p.Close()
			return nil
		},
	}
}

func openPostgresSQL(_ context.Context, address string, o Options) (*Handle, error) {
	c, err := postgresConfig(address, o.Conns)
	if err == nil {
		err = refuseSearchPath(c, o.Tables)
	}
	if err != nil {
		return nil, err
	}
	db := stdlib.OpenDB(*c.ConnConfig)
	db.SetMaxOpenConns(int(c.MaxConns))
	db.SetMaxIdleConns(int(c.MaxConns))
	store, err := pgstore.New(db, sqlstore.Config{Tables: o.Tables, StatementTimeout: o.StatementTimeout})
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return &Handle{
		Store:    store,
		Schema:   store,
		writer:   writerOf(store, execTx(numbered)),
		consumer: consumerOf(store, execTx(numbered)),
		pool:     poolOf(db, numbered),
		version:  postgresVersion,
	}, nil
}

// PostgreSQL's error codes.
const (
	pgInvalidPassword = "28P01"
	pgInvalidAuth     = "28000"
	pgNoPrivilege     = "42501"
	pgNoDatabase      = "3D000"
)

func postgresKind(err error) (Kind, string) {
	var answer *pgconn.PgError
	if errors.As(err, &answer) {
		switch answer.Code {
		case pgInvalidPassword, pgInvalidAuth:
			return Refused, "check user and password in the URL"
		case pgNoPrivilege:
			return Refused, ""
		case pgNoDatabase:
			return Down, "create it, or correct the name in the URL"
		}
		switch answer.Code[:2] {
		case "08", "53", "57": // connection, resources, operator
			return Down, ""
		}
		return Other, ""
	}
	// What could not even be sent found a closed connection.
	if errors.As(err, new(*pgconn.ConnectError)) || pgconn.SafeToRetry(err) {
		return Down, ""
	}
	return Other, ""
}
