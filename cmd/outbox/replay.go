package main

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"github.com/sendoff-go/outbox/job"
)

func (a *app) replay() *cobra.Command {
	var f operatorFlags
	var s starting
	var filter job.Filter
	var after, before string
	var all, newIDs bool
	cmd := &cobra.Command{
		Use:   "replay",
		Short: "Deliver again events that were delivered and are still kept",
		Long: `Delivers again events that were delivered and are still kept, as a job; see
"outbox jobs". They keep their ids, so that consumers skip those that they had. With
--new-ids they are copied under new ids, and each copy has the header
outbox_replay_of.

The outbox does not keep where an event was delivered: a replayed event goes where
events of its type go now. --destination chooses the event types that running relays
announce for it, and shows them first. All events of these types are replayed, also
those that went elsewhere before. The job keeps the types that it was started with.`,
		Example: `  outbox replay --type order-placed --after 2h --dry-run
  outbox replay --destination kafkasink#0:orders --after 2h --dry-run
  outbox replay --type order-placed --after 2026-01-02T15:00:00Z --before 2026-01-02T16:00:00Z --new-ids --note 'the warehouse lost an hour'`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			spec := job.Spec{Action: job.Replay, Filter: filter, All: all, NewIDs: newIDs, Rate: s.rate}
			var err error
			if spec.Filter.After, spec.Filter.Before, err = readRange(after, before, time.Now()); err != nil {
				return err
			}
			switch chosen := spec.Filter != (job.Filter{}); {
			case s.rate < 0:
				return usagef("--rate is %d: use 0 for no limit", s.rate)
			case chosen && all:
				return usagef("--all does not go with --type, --tenant and the like: leave it out")
			case !chosen && !all:
				return usagef("nothing chosen: choose by --type, --destination, --tenant, --key, --after or --before, or pass --all")
			}
			return f.with(cmd.Context(), func(ctx context.Context, db operator) error { return a.runJob(ctx, db, spec, &s) })
		},
	}
	f.add(cmd)
	checkFilters(cmd)
	flags := cmd.Flags()
	flags.StringVar(&filter.Type, "type", "", "only those of this event `type`")
	flags.StringVar(&filter.Tenant, "tenant", "", "only those of this tenant `id`")
	flags.StringVar(&filter.Key, "key", "", "only those of this aggregate `id`")
	flags.StringVar(&filter.Destination, "destination", "", "only those of the event types that go to this `destination` now; see outbox status")
	flags.StringVar(&after, "after", "", "only those written after this "+timeFlag)
	flags.StringVar(&before, "before", "", "only those written before this `time`, likewise")
	flags.BoolVar(&all, "all", false, "all that are kept")
	flags.BoolVar(&newIDs, "new-ids", false, "copy them under new ids")
	completeFlag(cmd, "type", complete(&f, eventTypes, true))
	completeFlag(cmd, "destination", complete(&f, destinations, true))
	s.add(cmd)
	return cmd
}
