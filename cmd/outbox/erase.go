package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/sendoff-go/outbox/job"
)

func (a *app) erase() *cobra.Command {
	var f operatorFlags
	var s starting
	var filter job.Filter
	cmd := &cobra.Command{
		Use:   "erase",
		Short: "Erase the contents of the events of a tenant or an aggregate",
		Long: `Blanks the payloads, headers and errors of delivered events and dead letters, as a
job; see "outbox jobs". The rows stay, with their ids, and get the header
outbox_erased; dead letters are resolved. Events that are not delivered yet are left
alone: erase again when they are. The audit log says who erased, and for which tenant
or key, but not what the events contained. Nobody can undo this.`,
		Example: `  outbox erase --tenant acme --dry-run
  outbox erase --key customer-4711 --note 'request of 2 January'`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case filter == (job.Filter{}):
				return usagef("nothing chosen: choose by --tenant or --key")
			case s.rate < 0:
				return usagef("--rate is %d: use 0 for no limit", s.rate)
			}
			spec := job.Spec{Action: job.Erase, Filter: filter, Rate: s.rate}
			return f.with(cmd.Context(), func(ctx context.Context, db operator) error { return a.runJob(ctx, db, spec, &s) })
		},
	}
	f.add(cmd)
	checkFilters(cmd)
	cmd.Flags().StringVar(&filter.Tenant, "tenant", "", "the events of this tenant `id`")
	cmd.Flags().StringVar(&filter.Key, "key", "", "the events of this aggregate `id`")
	s.add(cmd)
	return cmd
}
