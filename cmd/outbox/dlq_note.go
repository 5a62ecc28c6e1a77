package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/sendoff-go/outbox/dlq"
	"github.com/sendoff-go/outbox/driver"
)

func (a *app) dlqNote() *cobra.Command {
	var f operatorFlags
	var person personFlags
	var out listOutput
	cmd := &cobra.Command{
		Use:               "note ID...",
		Short:             "Put a note on dead letters",
		Long:              "Puts the text of --note on at most 1000 dead letters. It replaces an earlier note; an empty text removes it.",
		Args:              cobra.RangeArgs(1, dlq.MaxIDs),
		ValidArgsFunction: complete(&f, letterIDs, true),
		RunE: func(cmd *cobra.Command, ids []string) error {
			if !cmd.Flags().Changed("note") {
				return usagef("no note given: pass --note, with an empty text to remove a note")
			}
			return f.with(cmd.Context(), func(ctx context.Context, db operator) error {
				results, err := db.Note(ctx, person.act(), ids)
				if err != nil {
					return db.Problem("note dead letters", err)
				}
				if out.machine() {
					err = printList(a, out, results)
				}
				failed := 0
				for _, r := range results {
					what := "noted"
					if r.Status != driver.DeadApplied {
						what = describe("", r.Status)
						failed++
					}
					if !out.machine() {
						fmt.Fprintf(a.stdout, "%s  %s\n", printable(r.ID), what)
					}
				}
				if err == nil && failed > 0 {
					err = fmt.Errorf("%d of %d left alone", failed, len(ids))
				}
				return err
			})
		},
	}
	f.add(cmd)
	person.add(cmd)
	out.add(cmd)
	return cmd
}
