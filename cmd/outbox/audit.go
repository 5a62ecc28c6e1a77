package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/driver"
)

func (a *app) audit() *cobra.Command {
	var f operatorFlags
	var out listOutput
	var limit int
	var asCSV bool
	var which driver.AuditFilter
	var action, after, before string
	cmd := &cobra.Command{
		Use:   "audit",
		Short: "List who changed what, latest first",
		Long: `Lists who changed what, latest first. An entry of a job names it: the entries of one
job are its start and end, what people decided about it, and the changes of its
batches, but for an erasure, whose batches have none. The log has no indexes for
such searches: a filter reads it from the latest entry on, in steps of 2,500.`,
		Example: `  outbox audit
  outbox audit --by ann --action delete --after 7d
  outbox audit --job 01M7KYSS57BTHAXT4Y24NXCHYH --csv`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if which.After, which.Before, err = readRange(after, before, time.Now()); err != nil {
				return err
			}
			if err := oneOf("action", action, admin.AuditActions()); err != nil {
				return err
			}
			which.Action = driver.AuditAction(action)
			switch {
			case limit < 1:
				return usagef("--limit is %d: ask for at least one", limit)
			case asCSV && cmd.Flags().Changed("output"):
				return usagef("--csv and --output are both given: pass one of them")
			}
			return f.with(cmd.Context(), func(ctx context.Context, db operator) error {
				entries, err := db.Audit(ctx, which, oneMore(limit))
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
				return a.printAudit(entries, which != driver.AuditFilter{})
			})
		},
	}
	f.add(cmd)
	out.add(cmd)
	checkFilters(cmd)
	flags := cmd.Flags()
	flags.StringVar(&which.By, "by", "", "only what this `person` or token did")
	flags.StringVar(&action, "action", "", "only this `action`, such as retry, delete or pause")
	flags.StringVar(&which.Job, "job", "", "only what this `job` did, and what people did about it")
	flags.StringVar(&after, "after", "", "only what was done after this "+timeFlag)
	flags.StringVar(&before, "before", "", "only what was done before this `time`, likewise")
	values(cmd, "action", admin.AuditActions()...)
	completeFlag(cmd, "job", complete(&f, jobIDs(true), true))
	flags.IntVar(&limit, "limit", 50, "at most this many entries")
	cmd.Flags().BoolVar(&asCSV, "csv", false, "print CSV, with a heading")
	return cmd
}

func (a *app) printAudit(entries []admin.AuditEntry, filtered bool) error {
	switch {
	case len(entries) == 0 && filtered:
		fmt.Fprintln(a.stdout, "No entry matches.")
		return nil
	case len(entries) == 0:
		fmt.Fprintln(a.stdout, "Nobody has changed anything yet.")
		return nil
	}
	var rows [][]string
	for _, e := range entries {
		what := strings.Join(e.Subjects, " ")
		if e.Rows > 1 && e.Rows == int64(len(e.Subjects)) { // ids
			what = fmt.Sprintf("%s and %d more", e.Subjects[0], len(e.Subjects)-1)
		}
		rows = append(rows, []string{clock(e.At), e.By, e.Action, what, e.Job, firstLine(e.Note, 60)})
	}
	return a.printTable("AT BY ACTION WHAT JOB NOTE", rows)
}
