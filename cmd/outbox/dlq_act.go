package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/dlq"
	"github.com/sendoff-go/outbox/driver"
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

// acting is one call of retry, resolve or delete.
type acting struct {
	action dlq.Action
	filter filterFlags
	person personFlags
	out    listOutput
	all    bool
	dryRun bool
	yes    bool
	rate   int
}

func (a *app) dlqAct(action dlq.Action, short string) *cobra.Command {
	var f outboxFlags
	c := acting{action: action}
	cmd := &cobra.Command{
		Use:   string(action) + " [ID...]",
		Short: short,
		Long: short + `.

Name the ids, or choose by --group, --type, --error and the like, or pass --all.
Ids, at most 1000, are one transaction. A choice is counted first and must be
confirmed, with --yes where nobody can be asked. It runs in batches of 100, from the
latest to the earliest, one transaction each: if it is interrupted, what is done
stays done, and the same command does the rest. The exit code is 1 if some
were left as they are.`,
		ValidArgsFunction: complete(&f, letterIDs, true),
		RunE: func(cmd *cobra.Command, ids []string) error {
			if err := c.validate(ids); err != nil {
				return err
			}
			return f.with(cmd.Context(), false, func(ctx context.Context, db *dburl.Handle) error {
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
	flags := cmd.Flags()
	flags.BoolVar(&c.all, "all", false, "all dead letters that are not resolved")
	flags.BoolVar(&c.dryRun, "dry-run", false, "only count them")
	flags.BoolVarP(&c.yes, "yes", "y", false, "do not ask")
	flags.IntVar(&c.rate, "rate", 0, "at most this many a second (default no limit)")
	c.person.add(cmd)
	c.out.add(cmd)
	return cmd
}

func (c *acting) validate(ids []string) error {
	switch chosen := c.filter.isSet() || c.all; {
	case len(ids) > 0 && chosen:
		return usagef("name ids, or choose by --group, --type, --error and the like, or --all, not both")
	case len(ids) == 0 && !chosen:
		return usagef("nothing chosen: name ids, or choose by --group, --type, --error and the like, or pass --all")
	case c.all && c.filter.isSet():
		return usagef("--all is not for a choice by --group, --type, --error and the like: leave it out")
	case len(ids) > dlq.MaxIDs:
		return usagef("%d ids: name at most %d at once, or choose by --group, --type, --error and the like", len(ids), dlq.MaxIDs)
	case len(ids) > 0 && (c.rate != 0 || c.dryRun):
		return usagef("--rate and --dry-run are for a choice by --group, --type, --error and the like, or --all")
	case c.rate < 0:
		return usagef("--rate is %d: 0 is no limit", c.rate)
	}
	return nil
}

// actOn acts on the letters of some ids.
func (a *app) actOn(ctx context.Context, db *dburl.Handle, c *acting, ids []string) error {
	if c.action == dlq.Delete {
		if err := a.confirm(ctx, c, numbered(len(ids), "dead letter")); err != nil {
			return err
		}
	}
	results, err := dlq.Apply(ctx, db.Store, c.action, c.person.act(), ids)
	if err != nil {
		return db.Problem(string(c.action)+" dead letters", err)
	}
	if c.out.machine() {
		out := make([]admin.Result, len(results))
		for i, r := range results {
			out[i] = admin.Result(r)
		}
		err = printList(a, c.out, out)
	}
	failed := 0
	for _, r := range results {
		if !c.out.machine() {
			fmt.Fprintf(a.stdout, "%s  %s\n", printable(r.ID), describe(c.action, r.Status))
		}
		if r.Status != driver.DeadApplied {
			failed++
		}
	}
	if err == nil && failed > 0 {
		err = fmt.Errorf("%d of %d were left as they are", failed, len(ids))
	}
	return err
}

// describe says what happened to one letter.
func describe(a dlq.Action, s driver.DeadStatus) string {
	switch s {
	case driver.DeadConflict:
		return "left: an event of this id is in the outbox again"
	case driver.DeadNotFound:
		return "no dead letter has this id"
	case driver.DeadApplied:
	}
	return map[dlq.Action]string{dlq.Retry: "back in the outbox", dlq.Resolve: "resolved", dlq.Delete: "deleted"}[a]
}

// actOnAll acts on every letter that the flags choose.
func (a *app) actOnAll(ctx context.Context, db *dburl.Handle, c *acting) error {
	filter, err := c.filter.read(time.Now())
	if err != nil {
		return err
	}
	n, err := db.Store.CountDead(ctx, filter)
	if err != nil {
		return db.Problem("count dead letters", err)
	}
	what := numbered(n.N, "dead letter")
	if n.More {
		what = "more than " + what
	}
	if c.dryRun {
		if c.out.machine() {
			return a.printJSON(admin.Count(n))
		}
		fmt.Fprintf(a.stdout, "would %s %s\n", c.action, what)
		return nil
	}
	if filter, err = boundary(ctx, db, filter); err != nil {
		return err
	}
	if n.N > 0 {
		if err := a.confirm(ctx, c, what); err != nil {
			return err
		}
	}
	job := dlq.Job{Action: c.action, Filter: filter, Act: c.person.act(), Rate: c.rate}
	shown := ""
	if isTerminal(a.stderr) {
		job.Progress = func(r dlq.Report) {
			fmt.Fprintf(a.stderr, "\r%d of %s", r.Applied, counted(n))
			shown = "\n"
		}
	}
	r, err := dlq.Run(ctx, db.Store, job)
	fmt.Fprint(a.stderr, shown)
	if c.out.machine() {
		err = errors.Join(a.printJSON(r), err)
	} else {
		fmt.Fprintf(a.stdout, "%d %s\n", r.Applied, describe(c.action, driver.DeadApplied))
	}
	switch {
	case err != nil:
		return db.Problem(string(c.action)+" dead letters", err)
	case r.Conflicts > 0:
		return fmt.Errorf("%d were left: an event of their id is in the outbox again, or a later letter of it was retried", r.Conflicts)
	}
	return nil
}

// boundary leaves out what dies after the count that is confirmed, by the clock of
// the database.
func boundary(ctx context.Context, db *dburl.Handle, f driver.DeadFilter) (driver.DeadFilter, error) {
	latest, err := listLetters(ctx, db, f, 1)
	if err != nil {
		return f, db.Problem("list dead letters", err)
	}
	end := time.Unix(1, 0) // none
	if len(latest) > 0 {
		end = latest[0].DiedAt.Add(time.Microsecond)
	}
	if f.DiedBefore.IsZero() || f.DiedBefore.After(end) {
		f.DiedBefore = end
	}
	return f, nil
}

// confirm asks before something that changes many letters, or that nobody can
// undo.
func (a *app) confirm(ctx context.Context, c *acting, what string) error {
	if c.yes {
		return nil
	}
	if !isTerminal(a.stdin) {
		return usagef("this would %s %s: pass --yes to do it", c.action, what)
	}
	fmt.Fprintf(a.stderr, "%s%s %s? [y/N] ", strings.ToUpper(string(c.action[:1])), c.action[1:], what)
	answers := make(chan string, 1)
	go func() { // outlives an interrupt, and the process ends then
		answer, _ := bufio.NewReader(a.stdin).ReadString('\n') // an end of input is a no
		answers <- strings.ToLower(strings.TrimSpace(answer))
	}()
	select {
	case answer := <-answers:
		if answer == "y" || answer == "yes" {
			return nil
		}
		return errors.New("nothing was changed")
	case <-ctx.Done():
		fmt.Fprintln(a.stderr)
		return errInterrupted
	}
}
