package main

import (
	"context"
	"errors"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

// databaseVariable is the environment's twin of --database.
const databaseVariable = "OUTBOX_DATABASE_URL"

// databaseFlags say which database to open.
type databaseFlags struct {
	url    string
	driver string
	schema string
}

func (f *databaseFlags) add(cmd *cobra.Command, unset string) {
	flags := cmd.Flags()
	flags.StringVar(&f.url, "database", "", "`URL` of the database: "+exampleURLs()+"; also "+databaseVariable+unset)
	flags.StringVar(&f.driver, "driver", "", "PostgreSQL `driver`: pgx, the native one, or sql, through database/sql (default pgx)")
	flags.StringVar(&f.schema, "schema", "", "`name` of the schema that holds the tables (default public on PostgreSQL, the URL's database on MySQL)")
	values(cmd, "driver", "pgx", "sql")
}

// address is the URL that was given, or "".
func (f *databaseFlags) address() string {
	if f.url != "" {
		return f.url
	}
	return os.Getenv(databaseVariable)
}

// open opens the database that the flags name.
func (f *databaseFlags) open(ctx context.Context, o dburl.Options) (*dburl.Handle, error) {
	address := f.address()
	if address == "" {
		more := ""
		if os.Getenv(apiVariable) != "" {
			more = "; this command does not work through " + apiVariable
		}
		return nil, usagef("no database given: pass --database URL or set %s, for example %s%s", databaseVariable, exampleURLs(), more)
	}
	o.Driver = f.driver
	if o.Tables.Schema == "" {
		o.Tables.Schema = f.schema
	}
	return dburl.Open(ctx, drivers, address, o)
}

// tableFlags name the tables of an outbox.
func tableFlags(flags *pflag.FlagSet, t *sqlstore.Tables) {
	flags.StringVar(&t.Event, "table-event", "", "`name` of the table of events (default outbox_event)")
	flags.StringVar(&t.DeadLetter, "table-dead-letter", "", "`name` of the table of dead letters (default outbox_dlq_event)")
	flags.StringVar(&t.DeadGroup, "table-dead-group", "", "`name` of the table of groups of dead letters (default outbox_dlq_group)")
	flags.StringVar(&t.Control, "table-control", "", "`name` of the table of paused event types (default outbox_control)")
	flags.StringVar(&t.Instance, "table-instance", "", "`name` of the table of running relays (default outbox_instance)")
	flags.StringVar(&t.Consumed, "table-consumed", "", "`name` of the table of consumed event ids (default outbox_consumed_event)")
	flags.StringVar(&t.Audit, "table-audit", "", "`name` of the table of what people changed (default outbox_audit)")
	flags.StringVar(&t.Alert, "table-alert", "", "`name` of the table of alerts (default outbox_alert)")
	flags.StringVar(&t.Job, "table-job", "", "`name` of the table of jobs (default outbox_job)")
	flags.StringVar(&t.Destination, "table-destination", "", "`name` of the table of paused destinations (default outbox_destination)")
	flags.StringVar(&t.Version, "table-version", "", "`name` of the table of applied migrations (default outbox_schema)")
}

// outboxFlags name an outbox.
type outboxFlags struct {
	databaseFlags
	tables sqlstore.Tables
}

func (f *outboxFlags) add(cmd *cobra.Command) {
	f.databaseFlags.add(cmd, "")
	tableFlags(cmd.Flags(), &f.tables)
}

// with opens the database for the time of do.
func (f *outboxFlags) with(ctx context.Context, create bool, do func(ctx context.Context, db *dburl.Handle) error) (err error) {
	db, err := f.open(ctx, dburl.Options{Tables: f.tables, Create: create})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return do(ctx, db)
}
