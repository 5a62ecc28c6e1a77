package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"
)

func (a *app) dlqList() *cobra.Command {
	var f operatorFlags
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
			if _, err := filter.match(); err != nil {
				return err
			}
			return f.with(cmd.Context(), func(ctx context.Context, db operator) error {
				ls, err := db.Letters(ctx, which, filter.payload, limit)
				if err != nil {
					return db.Problem("list dead letters", err)
				}
				if out.machine() {
					return printList(a, out, ls)
				}
				var rows [][]string
				for _, l := range ls {
					rows = append(rows, []string{l.ID, l.Type, clock(l.DiedAt), fmt.Sprint(l.Attempts), firstLine(l.Error, 80)})
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
	completeFlag(cmd, "destination", complete(&f, letterDestinations, true))
	cmd.Flags().BoolVar(&filter.filter.Resolved, "resolved", false, "the resolved ones instead of the open ones")
	cmd.Flags().IntVar(&limit, "limit", 50, "at most this many")
	out.add(cmd)
	return cmd
}

// printRest says how many letters a full page does not show.
func (a *app) printRest(ctx context.Context, db operator, filter filterFlags, shown, limit int) error {
	if shown < limit {
		return nil
	}
	n, err := db.CountLetters(ctx, filter.filter, filter.payload)
	if err != nil {
		return db.Problem("count dead letters", err)
	}
	if n.N > int64(shown) {
		fmt.Fprintf(a.stdout, "%d of %s; see --limit\n", shown, counted(n))
	}
	return nil
}
