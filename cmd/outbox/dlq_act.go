package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

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
	person personFlags
	out    output
	yes    bool
}

func (a *app) dlqAct(action dlq.Action, short string) *cobra.Command {
	var f outboxFlags
	c := acting{action: action}
	cmd := &cobra.Command{
		Use:   string(action) + " ID...",
		Short: short,
		Long: short + fmt.Sprintf(`.

All ids, at most %d, are one transaction. The exit code is 1 if one of them was
left as it is.`, dlq.MaxIDs),
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, ids []string) error {
			if len(ids) > dlq.MaxIDs {
				return usagef("%d ids: name at most %d at once", len(ids), dlq.MaxIDs)
			}
			return f.with(cmd.Context(), false, func(ctx context.Context, db *dburl.Handle) error {
				return a.actOn(ctx, db, &c, ids)
			})
		},
	}
	f.add(cmd)
	if action == dlq.Delete {
		cmd.Flags().BoolVarP(&c.yes, "yes", "y", false, "do not ask")
	}
	c.person.add(cmd)
	c.out.add(cmd)
	return cmd
}

// actOn acts on the letters of some ids.
func (a *app) actOn(ctx context.Context, db *dburl.Handle, c *acting, ids []string) error {
	if c.action == dlq.Delete && !c.yes {
		if err := a.confirm(ctx, letters(len(ids))); err != nil {
			return err
		}
	}
	results, err := dlq.Apply(ctx, db.Store, c.action, c.person.act(), ids)
	if err != nil {
		return db.Problem(string(c.action)+" dead letters", err)
	}
	if c.out == asJSON {
		type result struct {
			ID     string            `json:"id"`
			Status driver.DeadStatus `json:"status"`
		}
		out := make([]result, len(results))
		for i, r := range results {
			out[i] = result(r)
		}
		err = a.printJSON(out)
	}
	failed := 0
	for _, r := range results {
		if c.out != asJSON {
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

// confirm asks before something that nobody can undo.
func (a *app) confirm(ctx context.Context, what string) error {
	if !isTerminal(a.stdin) {
		return usagef("this would delete %s for good: pass --yes to do it", what)
	}
	fmt.Fprintf(a.stderr, "Delete %s for good? [y/N] ", what)
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
		return errors.New("nothing was deleted")
	case <-ctx.Done():
		fmt.Fprintln(a.stderr)
		return errInterrupted
	}
}
