package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/dburl"
)

func (a *app) migrateDown() *cobra.Command {
	var f migrateFlags
	var steps int
	var force bool
	cmd := &cobra.Command{
		Use:   "down",
		Short: "Take back the latest version",
		Long: `Takes back the latest version of the tables. After the last step there are none,
and what they held is gone: delivered, waiting and dead events. So it refuses
while events wait or dead letters are unresolved, unless --force says that they
may go.`,
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
	cmd.Flags().BoolVar(&force, "force", false, "also if that drops events that nobody has received")
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
		if err := refuseToDrop(ctx, db); err != nil {
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

// refuseToDrop is an error while the tables hold what somebody still needs.
func refuseToDrop(ctx context.Context, db *dburl.Handle) error {
	s, err := db.Store.Stats(ctx)
	if err != nil {
		return db.Problem("look for waiting events", err)
	}
	waiting := outbox.Count{N: s.Waiting.N + s.Held.N, More: s.Waiting.More || s.Held.More}
	if waiting.N == 0 && s.Dead.N == 0 {
		return nil
	}
	return fmt.Errorf("the tables hold %s that nobody has received and %s: deliver and resolve them first, or pass --force to drop them",
		counted(waiting, "event"), counted(s.Dead, "dead letter"))
}

// counted is "1 event" or "more than 10000 events".
func counted(c outbox.Count, what string) string {
	if c.N != 1 || c.More {
		what += "s"
	}
	if c.More {
		return fmt.Sprintf("more than %d %s", c.N, what)
	}
	return fmt.Sprintf("%d %s", c.N, what)
}
