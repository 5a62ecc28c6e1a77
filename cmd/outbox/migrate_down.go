package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sendoff-go/outbox/cmd/internal/dburl"
)

func (a *app) migrateDown() *cobra.Command {
	var f outboxFlags
	var steps int
	var force bool
	cmd := &cobra.Command{
		Use:   "down",
		Short: "Revert the latest migration",
		Long: `Reverts the latest migration. Reverting all of them drops every table with its
rows: events, dead letters, the ids of consumed events, the audit log and alerts.
The command therefore refuses if a table that it would drop still holds waiting
events, open dead letters, ids of consumed events, entries of the audit log or
muted alerts, unless you pass --force.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if steps < 1 {
				return usagef("--steps is %d: must be at least 1", steps)
			}
			return f.with(cmd.Context(), false, func(ctx context.Context, db *dburl.Handle) error {
				return a.down(ctx, db, steps, force)
			})
		},
	}
	f.add(cmd)
	cmd.Flags().IntVar(&steps, "steps", 1, "how many migrations to revert")
	cmd.Flags().BoolVar(&force, "force", false, "revert even if that drops rows that somebody still needs")
	return cmd
}

func (a *app) down(ctx context.Context, db *dburl.Handle, steps int, force bool) error {
	before, _, err := states(ctx, db)
	if err != nil {
		return err
	}
	if len(before) == 0 {
		fmt.Fprintln(a.stdout, "nothing to revert: the tables do not exist")
		return nil
	}
	if !force {
		if err := refuseToDrop(ctx, db, steps); err != nil {
			return err
		}
	}
	if err := db.Schema.MigrateDown(ctx, steps); err != nil {
		return db.Problem("", err)
	}
	after, _, err := states(ctx, db)
	if err != nil {
		return err
	}
	for i := len(before) - 1; i >= len(after); i-- {
		fmt.Fprintf(a.stdout, "reverted version %d (%s)\n", before[i].Version, before[i].Name)
	}
	return nil
}

// refuseToDrop is an error while what the steps drop holds what somebody still
// needs.
func refuseToDrop(ctx context.Context, db *dburl.Handle, steps int) error {
	losses, err := db.Schema.MigrateDownLosses(ctx, steps)
	if err != nil {
		return db.Problem("check what would be lost", err)
	}
	if len(losses) == 0 {
		return nil
	}
	var texts []string
	for _, l := range losses {
		texts = append(texts, fmt.Sprintf("%s (version %d)", l, l.Version))
	}
	return fmt.Errorf("reverting would drop %s: deliver, resolve, export or clean them up first, or pass --force to drop them", strings.Join(texts, ", "))
}
