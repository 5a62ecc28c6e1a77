package main

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/dlq"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/job"
)

func (a *app) dlqRetry() *cobra.Command {
	return a.dlqAct(dlq.Retry, "Put dead letters back into the outbox, with the same id and no attempts")
}

func (a *app) dlqResolve() *cobra.Command {
	return a.dlqAct(dlq.Resolve, "Mark dead letters as resolved, which hides them")
}

func (a *app) dlqDelete() *cobra.Command {
	return a.dlqAct(dlq.Delete, "Delete dead letters for good")
}

func (a *app) dlqNote() *cobra.Command {
	cmd := a.dlqAct(dlq.Annotate, "Put the text of --note on dead letters, in place of an earlier note; an empty text removes it")
	act := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, ids []string) error {
		if !cmd.Flags().Changed("note") {
			return usagef("no note given: pass --note, with an empty text to remove a note")
		}
		return act(cmd, ids)
	}
	return cmd
}

// acting is one call of retry, resolve, delete or note.
type acting struct {
	starting
	action dlq.Action
	filter filterFlags
	all    bool
}

func (a *app) dlqAct(action dlq.Action, short string) *cobra.Command {
	var f operatorFlags
	c := acting{action: action}
	cmd := &cobra.Command{
		Use:   string(action) + " [ID...]",
		Short: short,
		Long: short + `.

Name the ids, or choose by --group, --type, --error and the like, or by --where, or
pass --all.

Up to 1000 ids are changed in one transaction. What a choice matches is counted first,
and you are asked to confirm; pass --yes where nobody can be asked. A job then runs, in
batches from the latest letter to the earliest, one transaction each; see "outbox
jobs". An interrupt cancels the job, and what it has done stays done. If this command
dies, a daemon continues the job; with --api a daemon runs it from the start.

The exit code is 1 if some letters were left alone.`,
		ValidArgsFunction: complete(&f, letterIDs, true),
		RunE: func(cmd *cobra.Command, ids []string) error {
			if err := c.validate(ids); err != nil {
				return err
			}
			return f.with(cmd.Context(), func(ctx context.Context, db operator) error {
				if len(ids) > 0 {
					return a.actOn(ctx, db, &c, ids)
				}
				return a.actOnAll(ctx, db, &c)
			})
		},
	}
	f.add(cmd)
	c.filter.add(cmd)
	completeFlag(cmd, "type", complete(&f, eventTypes, true))
	completeFlag(cmd, "group", complete(&f, groupIDs, true))
	completeFlag(cmd, "destination", complete(&f, letterDestinations, true))
	cmd.Flags().BoolVar(&c.all, "all", false, "all dead letters that are not resolved")
	c.add(cmd)
	return cmd
}

func (c *acting) validate(ids []string) error {
	switch chosen := c.filter.isSet() || c.all; {
	case len(ids) > 0 && chosen:
		return usagef("name ids, or choose by --group, --type, --error and the like, or --all, not both")
	case len(ids) == 0 && !chosen:
		return usagef("nothing chosen: name ids, or choose by --group, --type, --error and the like, or pass --all")
	case c.all && c.filter.isSet():
		return usagef("--all does not go with --group, --type, --error and the like: leave it out")
	case len(ids) > dlq.MaxIDs:
		return usagef("%d ids: name at most %d at once, or choose by --group, --type, --error and the like", len(ids), dlq.MaxIDs)
	case len(ids) > 0 && (c.rate != 0 || c.dryRun):
		return usagef("--rate and --dry-run do not go with ids: choose by --group, --type, --error and the like, or pass --all")
	case len(ids) > 0 && c.id != "":
		return usagef("--id is the id of a job, and does not go with ids of letters: leave it out")
	case c.rate < 0:
		return usagef("--rate is %d: use 0 for no limit", c.rate)
	}
	return nil
}

// actOn acts on the letters of some ids.
func (a *app) actOn(ctx context.Context, db operator, c *acting, ids []string) error {
	if c.action == dlq.Delete {
		if err := a.confirm(ctx, c.yes, string(c.action), numbered(len(ids), "dead letter")); err != nil {
			return err
		}
	}
	results, err := db.Apply(ctx, c.action, c.person.act(), ids)
	if err != nil {
		return db.Problem(string(c.action)+" dead letters", err)
	}
	if c.out.machine() {
		err = printList(a, c.out, results)
	}
	failed := 0
	for _, r := range results {
		if !c.out.machine() {
			fmt.Fprintf(a.stdout, "%s  %s\n", printable(r.ID), cmp.Or(kept(ctx, db, c.action, r, failed), describe(c.action, r.Status)))
		}
		if r.Status != driver.DeadApplied {
			failed++
		}
	}
	if err == nil && failed > 0 {
		err = fmt.Errorf("%d of %d left alone", failed, len(ids))
	}
	return err
}

// describe says what happened to one letter.
func describe(a dlq.Action, s driver.DeadStatus) string {
	switch s {
	case driver.DeadConflict:
		return "left alone: an event with this id is in the outbox again"
	case driver.DeadNotFound:
		return "no dead letter has this id"
	case driver.DeadApplied:
	}
	return map[dlq.Action]string{dlq.Retry: "back in the outbox", dlq.Resolve: "resolved", dlq.Delete: "deleted", dlq.Annotate: "noted"}[a]
}

// mostKept is how many letters are looked up to say why they were left alone.
const mostKept = 20

// kept says why a retry left a letter alone that exists, or "". before is how many
// were left alone before it.
func kept(ctx context.Context, db operator, action dlq.Action, r admin.Result, before int) string {
	if action != dlq.Retry || r.Status != driver.DeadNotFound || before >= mostKept {
		return ""
	}
	l, found, err := db.Letter(ctx, r.ID)
	if _, erased := l.Headers[driver.Erased]; err == nil && found && erased {
		return "left alone: it was erased, and nothing is left to deliver"
	}
	return ""
}

// actOnAll acts on every letter that the flags choose, as a job.
func (a *app) actOnAll(ctx context.Context, db operator, c *acting) error {
	filter, err := c.filter.read(time.Now())
	if err != nil {
		return err
	}
	if _, err := c.filter.match(); err != nil {
		return err
	}
	spec := job.Spec{Action: job.Action(c.action), All: c.all, Rate: c.rate, Filter: job.Filter{
		Type: filter.Lane, Error: filter.Error, Group: filter.Group, Destination: filter.Destination, Payload: c.filter.payload, Tenant: filter.Tenant, Key: filter.Key,
		After: filter.DiedAfter, Before: filter.DiedBefore,
	}}
	return a.runJob(ctx, db, spec, &c.starting)
}
