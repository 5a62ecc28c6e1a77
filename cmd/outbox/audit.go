package main

import (
	"context"
	"encoding/csv"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/driver"
)

func (a *app) audit() *cobra.Command {
	var f outboxFlags
	var out output
	var limit int
	var asCSV bool
	cmd := &cobra.Command{
		Use:   "audit",
		Short: "List who changed what, latest first",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if limit < 1 {
				return usagef("--limit is %d: ask for at least one", limit)
			}
			return f.with(cmd.Context(), false, func(ctx context.Context, db *dburl.Handle) error {
				entries, err := db.Store.ListAudit(ctx, 0, limit+1)
				if len(entries) > limit {
					entries = entries[:limit]
					fmt.Fprintf(a.stderr, "The latest %d entries; see --limit for more.\n", limit)
				}
				switch {
				case err != nil:
					return db.Problem("read the audit log", err)
				case asCSV:
					return a.printCSV(entries)
				case out == asJSON:
					return a.printJSON(auditObjects(entries))
				}
				return a.printAudit(entries)
			})
		},
	}
	f.add(cmd)
	out.add(cmd)
	cmd.Flags().IntVar(&limit, "limit", 50, "at most this many entries")
	cmd.Flags().BoolVar(&asCSV, "csv", false, "print CSV, with a heading")
	cmd.MarkFlagsMutuallyExclusive("csv", "output")
	return cmd
}

func (a *app) printAudit(entries []driver.AuditEntry) error {
	if len(entries) == 0 {
		fmt.Fprintln(a.stdout, "Nobody has changed anything yet.")
		return nil
	}
	var rows [][]string
	for _, e := range entries {
		what := strings.Join(e.Subjects, " ")
		if len(e.Subjects) > 1 {
			what = fmt.Sprintf("%s and %d more", e.Subjects[0], len(e.Subjects)-1)
		}
		rows = append(rows, []string{clock(e.At), e.By, string(e.Action), what, firstLine(e.Note, 60)})
	}
	return a.printTable("AT BY ACTION WHAT NOTE", rows)
}

func (a *app) printCSV(entries []driver.AuditEntry) error {
	w := csv.NewWriter(a.stdout)
	_ = w.Write([]string{"id", "at", "by", "action", "count", "subjects", "note"}) // Error says what went wrong
	for _, e := range entries {
		_ = w.Write([]string{fmt.Sprint(e.ID), e.At.UTC().Format(time.RFC3339Nano), plain(e.By), string(e.Action), fmt.Sprint(len(e.Subjects)), plain(strings.Join(e.Subjects, " ")), plain(e.Note)})
	}
	w.Flush()
	return w.Error()
}

// plain keeps a spreadsheet from taking what somebody wrote for a formula.
func plain(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return "'" + s
	}
	return s
}

// auditObject is an entry as -o json prints it.
type auditObject struct {
	ID       int64     `json:"id"`
	At       time.Time `json:"at"`
	By       string    `json:"by"`
	Action   string    `json:"action"`
	Subjects []string  `json:"subjects"`
	Note     string    `json:"note"`
}

func auditObjects(entries []driver.AuditEntry) []auditObject {
	out := make([]auditObject, len(entries))
	for i, e := range entries {
		out[i] = auditObject{e.ID, e.At, e.By, string(e.Action), e.Subjects, e.Note}
	}
	return out
}
