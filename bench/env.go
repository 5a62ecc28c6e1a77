package main

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/sendoff-go/outbox"
)

// env is what every run needs: its own database, which is created for the
// benchmark and dropped after it, and a directory for files.
type env struct {
	url   string
	admin *pgxpool.Pool // to prepare tables; never used by what is measured
	dir   string
	cpu   cpuMeter
	scale float64
	limit time.Duration // of one run
}

// newEnv creates the database on the server.
func newEnv(ctx context.Context, o *options) (e *env, closeEnv func(), err error) {
	name := "outbox_bench_" + outbox.NewID()
	own, err := withDatabase(o.database, name)
	if err != nil {
		return nil, nil, err
	}
	if err := onServer(ctx, o.database, "CREATE DATABASE "+pgx.Identifier{name}.Sanitize()); err != nil {
		return nil, nil, err
	}
	dir, err := os.MkdirTemp("", "outbox-bench")
	if err != nil {
		return nil, nil, err
	}
	admin, err := pgxpool.New(ctx, own)
	if err != nil {
		return nil, nil, err
	}
	closeEnv = func() {
		admin.Close()
		_ = os.RemoveAll(dir) // a temporary directory: the system will
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
		defer cancel()
		if err := onServer(ctx, o.database, "DROP DATABASE "+pgx.Identifier{name}.Sanitize()+" WITH (FORCE)"); err != nil {
			fmt.Fprintf(os.Stderr, "bench: the database %s is left behind: %v\n", name, err)
		}
	}
	e = &env{url: own, admin: admin, dir: dir, scale: o.scale, limit: o.limit}
	e.cpu = newCPUMeter(ctx, e)
	return e, closeEnv, nil
}

// withDatabase is the URL with another database in it.
func withDatabase(server, name string) (string, error) {
	u, err := url.Parse(server)
	if err != nil || u.Scheme == "" {
		return "", fmt.Errorf("%q is not a URL such as postgres://user@host:5432/postgres?sslmode=disable", server)
	}
	u.Path = "/" + name
	return u.String(), nil
}

func onServer(ctx context.Context, url, sql string) error {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	_, err = conn.Exec(ctx, sql)
	_ = conn.Close(ctx) // the answer to sql says what there is to say
	return err
}

// events is a number of events at the scale of this run.
func (e *env) events(n int) int { return max(int(float64(n)*e.scale), 100) }

// duration is a time at the scale of this run.
func (e *env) duration(d time.Duration) time.Duration {
	return max(time.Duration(float64(d)*e.scale), time.Second)
}

// exec runs statements one by one, outside a transaction, as VACUUM requires.
func (e *env) exec(ctx context.Context, statements ...string) error {
	for _, sql := range statements {
		if _, err := e.admin.Exec(ctx, sql); err != nil {
			return fmt.Errorf("%s: %w", sql, err)
		}
	}
	return nil
}

// checkpoint lets the server finish what the last run left behind, so that the
// next one does not pay for it.
func (e *env) checkpoint(ctx context.Context) error { return e.exec(ctx, "CHECKPOINT") }
