package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sendoff-go/outbox/admin"
)

func (a *app) audit() *cobra.Command {
	var f operatorFlags
	var out listOutput
	var limit int
	var asCSV bool
	cmd := &cobra.Command{
		Use:   "audit",
		Short: "List who changed what, latest first",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case limit < 1:
				return usagef("--limit is %d: ask for at least one", limit)
			case asCSV && cmd.Flags().Changed("output"):
				return usagef("--csv and --output are both given: pass one of them")
			}
			return f.with(cmd.Context(), func(ctx context.Context, db operator) error {
				entries, err := db.Audit(ctx, limit+1)
				if len(entries) > limit {
					entries = entries[:limit]
					fmt.Fprintf(a.stderr, "The latest %d entries; see --limit for more.\n", limit)
				}
				switch {
				case err != nil:
					return db.Problem("read the audit log", err)
				case asCSV:
					return admin.WriteAuditCSV(a.stdout, entries)
				case out.machine():
					return printList(a, out, entries)
				}
				return a.printAudit(entries)
			})
		},
	}
	f.add(cmd)
	out.add(cmd)
	cmd.Flags().IntVar(&limit, "limit", 50, "at most this many entries")
	cmd.Flags().BoolVar(&asCSV, "csv", false, "print CSV, with a heading")
	return cmd
}

func (a *app) printAudit(entries []admin.AuditEntry) error {
	if len(entries) == 0 {
		fmt.Fprintln(a.stdout, "Nobody has changed anything yet.")
		return nil
	}
	var rows [][]string
	for _, e := range entries {
		what := strings.Join(e.Subjects, " ")
		if e.Rows > 1 && e.Rows == int64(len(e.Subjects)) { // ids
			what = fmt.Sprintf("%s and %d more", e.Subjects[0], len(e.Subjects)-1)
		}
		rows = append(rows, []string{clock(e.At), e.By, e.Action, what, firstLine(e.Note, 60)})
	}
	return a.printTable("AT BY ACTION WHAT NOTE", rows)
}
