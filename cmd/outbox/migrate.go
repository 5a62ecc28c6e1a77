package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

func (a *app) migrate() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "migrate",
		Short: "Create and upgrade the outbox tables",
		Long: `Creates and upgrades the outbox tables of a database, or prints the SQL for other
tools. It is safe to repeat any of it, and to run it from many processes at once.`,
		Example: `  outbox migrate up --database postgres://user:password@localhost:5432/shop
  outbox migrate status --database sqlite://shop.db
  outbox migrate up --fair --database postgres://user:password@localhost:5432/shop
  outbox migrate sql --dialect mysql --format goose`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.migrateUp(), a.migrateDown(), a.migrateStatus(), a.migrateSQL())
	return cmd
}

// states splits the steps into those that are applied and those that are not.
func states(ctx context.Context, db *dburl.Handle) (applied, missing []sqlstore.MigrationState, err error) {
	all, err := db.Schema.MigrationStatus(ctx)
	for _, m := range all {
		if m.AppliedAt.IsZero() {
			missing = append(missing, m)
		} else {
			applied = append(applied, m)
		}
	}
	return applied, missing, db.Problem("read the state of the tables", err)
}

func (a *app) migrateUp() *cobra.Command {
	var f outboxFlags
	var adopt, fair bool
	cmd := &cobra.Command{
		Use:   "up",
		Short: "Bring the tables to the version that this program needs",
		Long: `Creates the tables, or upgrades them. A newer schema is left alone. A SQLite file
that does not exist is created.

With --adopt it also upgrades an event table that another program made with the
specification's own DDL: in place, with its rows, while writers wait. Without
--adopt it says what that would mean and exits with code 4.

With --fair it also creates the index that event types with fair-by-tenant need.
Writers wait meanwhile, except on MySQL and MariaDB; on a large PostgreSQL table in
use, run what "outbox migrate sql --fair" prints instead.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.with(cmd.Context(), true, func(ctx context.Context, db *dburl.Handle) error {
				if err := a.up(ctx, db, adopt); err != nil || !fair {
					return err
				}
				if err := db.Store.PrepareFair(ctx); err != nil {
					return db.Problem("create the index for fair claims", err)
				}
				fmt.Fprintln(a.stdout, "the index for fair claims is there")
				return nil
			})
		},
	}
	f.add(cmd)
	cmd.Flags().BoolVar(&adopt, "adopt", false, "also upgrade an event table that another program made, while its writers wait")
	cmd.Flags().BoolVar(&fair, "fair", false, "also create the index that fair-by-tenant needs")
	return cmd
}

func (a *app) up(ctx context.Context, db *dburl.Handle, adopt bool) error {
	_, missing, err := states(ctx, db)
	if err != nil {
		return err
	}
	if err := a.announceAdoption(ctx, db, adopt); err != nil {
		return err
	}
	if err := db.Schema.Migrate(ctx); err != nil {
		return db.Problem("", err)
	}
	applied, _, err := states(ctx, db)
	if err != nil {
		return err
	}
	for _, m := range missing {
		fmt.Fprintf(a.stdout, "applied version %d (%s)\n", m.Version, m.Name)
	}
	if len(applied) > 0 {
		fmt.Fprintf(a.stdout, "the tables are at version %d\n", applied[len(applied)-1].Version)
	}
	return nil
}
