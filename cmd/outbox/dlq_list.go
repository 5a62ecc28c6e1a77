package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/dlq"
	"github.com/sendoff-go/outbox/driver"
)

func (a *app) dlqList() *cobra.Command {
	var f outboxFlags
	var filter filterFlags
	var out listOutput
	var limit int
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List dead letters, latest first",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if limit < 1 {
				return usagef("--limit is %d: ask for at least one", limit)
			}
			which, err := filter.read(time.Now())
			if err != nil {
				return err
			}
			match, err := filter.match()
			if err != nil {
				return err
			}
			return f.with(cmd.Context(), false, func(ctx context.Context, db *dburl.Handle) error {
				ls, err := listLetters(ctx, db, which, match, limit)
				if err != nil {
					return db.Problem("list dead letters", err)
				}
				objects, rows := []admin.Letter{}, [][]string{}
				for i := range ls {
					l := &ls[i]
					objects = append(objects, admin.LetterOf(l, admin.Summary))
					rows = append(rows, []string{l.Event.ID, l.Event.Type, clock(l.DiedAt), fmt.Sprint(l.Attempts), firstLine(l.Error, 80)})
				}
				if out.machine() {
					return printList(a, out, objects)
				}
				if len(rows) == 0 {
					fmt.Fprintln(a.stdout, "No dead letters.")
					return nil
				}
				if err := a.printTable("ID TYPE DIED ATTEMPTS ERROR", rows); err != nil {
					return err
				}
				return a.printRest(ctx, db, filter, len(ls), limit)
			})
		},
	}
	f.add(cmd)
	filter.add(cmd)
	completeFlag(cmd, "type", complete(&f, eventTypes, true))
	completeFlag(cmd, "group", complete(&f, groupIDs, true))
	cmd.Flags().BoolVar(&filter.filter.Resolved, "resolved", false, "the resolved ones instead of the open ones")
	cmd.Flags().IntVar(&limit, "limit", 50, "at most this many")
	out.add(cmd)
	return cmd
}

// listLetters reads on until there are limit letters, or no more.
func listLetters(ctx context.Context, db *dburl.Handle, f driver.DeadFilter, m *dlq.PayloadMatch, limit int) ([]driver.DeadLetter, error) {
	return upTo(limit, func(after *driver.DeadCursor, n int) ([]driver.DeadLetter, *driver.DeadCursor, error) {
		return dlq.Find(ctx, db.Store, f, m, after, n)
	})
}

// printRest says how many letters a full page does not show.
func (a *app) printRest(ctx context.Context, db *dburl.Handle, filter filterFlags, shown, limit int) error {
	if shown < limit {
		return nil
	}
	match, err := filter.match()
	if err != nil {
		return err
	}
	n, err := dlq.CountMatching(ctx, db.Store, filter.filter, match)
	if err != nil {
		return db.Problem("count dead letters", err)
	}
	if n.N > int64(shown) {
		fmt.Fprintf(a.stdout, "%d of %s; see --limit\n", shown, counted(n))
	}
	return nil
}
