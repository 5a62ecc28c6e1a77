package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sendoff-go/outbox/cmd/internal/dburl"
)

func (a *app) migrateDown() *cobra.Command {
	var f migrateFlags
	var steps int
	var force bool
	cmd := &cobra.Command{
		Use:   "down",
		Short: "Take back the latest version",
		Long: `Takes back the latest version of the tables. After the last step there are none,
and what they held is gone: delivered, waiting and dead events, and the ids of
those that consumers have had. So it refuses while the tables that it would drop
hold events that wait, open dead letters, or ids of consumed events, unless
--force says that they may go.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if steps < 1 {
				return usagef("--steps is %d: give 1 or more", steps)
			}
			return f.with(cmd.Context(), false, func(ctx context.Context, db *dburl.Handle) error {
				return a.down(ctx, db, steps, force)
			})
		},
	}
	f.add(cmd)
	cmd.Flags().IntVar(&steps, "steps", 1, "how many versions to take back")
	cmd.Flags().BoolVar(&force, "force", false, "also if that drops what somebody still needs")
	return cmd
}

func (a *app) down(ctx context.Context, db *dburl.Handle, steps int, force bool) error {
	before, _, err := states(ctx, db)
	if err != nil {
		return err
	}
	if len(before) == 0 {
		fmt.Fprintln(a.stdout, "there is nothing to take back: the tables do not exist")
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
		fmt.Fprintf(a.stdout, "took back version %d (%s)\n", before[i].Version, before[i].Name)
	}
	return nil
}

// refuseToDrop is an error while what the steps drop holds what somebody still
// needs.
func refuseToDrop(ctx context.Context, db *dburl.Handle, steps int) error {
	losses, err := db.Schema.MigrateDownLosses(ctx, steps)
	if err != nil {
		return db.Problem("look for what would be lost", err)
	}
	if len(losses) == 0 {
		return nil
	}
	var texts []string
	for _, l := range losses {
		texts = append(texts, fmt.Sprintf("%s (version %d)", l, l.Version))
	}
	return fmt.Errorf("this would drop %s: deliver, resolve and forget them first, or pass --force to drop them", strings.Join(texts, ", "))
}
