package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

// step is one version, as -o json prints it.
type step struct {
	Version   int        `json:"version"`
	Name      string     `json:"name"`
	AppliedAt *time.Time `json:"applied_at"` // null: not applied
}

func (a *app) migrateStatus() *cobra.Command {
	var f outboxFlags
	var out output
	var check bool
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Show which migrations are applied",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.with(cmd.Context(), false, func(ctx context.Context, db *dburl.Handle) error {
				missing, err := a.versions(ctx, db, out)
				if err != nil || !check || len(missing) == 0 {
					return err
				}
				return notApplied(missing[0].Version, f.schema)
			})
		},
	}
	f.add(cmd)
	out.add(cmd)
	cmd.Flags().BoolVar(&check, "check", false, "exit with code 4 if a migration is not applied")
	return cmd
}

// notApplied is what --check returns.
func notApplied(version int, schema string) error {
	advice := "run `outbox migrate up`"
	if schema != "" {
		advice = fmt.Sprintf("run `outbox migrate up --schema %s`", schema)
	}
	return &dburl.Problem{Kind: dburl.Schema, Err: fmt.Errorf("%w: version %d is not applied", outbox.ErrSchema, version), Advice: advice}
}

// versions prints the migrations, and returns those that are not applied.
func (a *app) versions(ctx context.Context, db *dburl.Handle, out output) ([]sqlstore.MigrationState, error) {
	applied, missing, err := states(ctx, db)
	if err != nil {
		return nil, err
	}
	steps := []step{}
	for _, m := range applied {
		steps = append(steps, step{m.Version, m.Name, &m.AppliedAt})
	}
	for _, m := range missing {
		steps = append(steps, step{m.Version, m.Name, nil})
	}
	if out == asJSON {
		return missing, a.printJSON(steps)
	}
	a.printSteps(steps)
	return missing, nil
}

func (a *app) printSteps(steps []step) {
	for _, s := range steps {
		when := "not applied"
		if s.AppliedAt != nil {
			when = "applied " + s.AppliedAt.UTC().Format("2006-01-02 15:04:05 MST")
		}
		fmt.Fprintf(a.stdout, "%04d  %-20s  %s\n", s.Version, s.Name, when)
	}
}
