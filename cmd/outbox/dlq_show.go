package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/driver"
)

func (a *app) dlqShow() *cobra.Command {
	var f outboxFlags
	var out output
	cmd := &cobra.Command{
		Use:   "show ID",
		Short: "Show one dead letter with its attempts, headers and payload",
		Args:  cobra.ExactArgs(1),

		ValidArgsFunction: complete(&f, letterIDs, false),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.with(cmd.Context(), false, func(ctx context.Context, db *dburl.Handle) error {
				l, found, err := db.Store.GetDead(ctx, args[0])
				switch {
				case err != nil:
					return db.Problem("read a dead letter", err)
				case !found:
					return fmt.Errorf("no dead letter has the id %s: it was retried or deleted, or never died", printable(args[0]))
				case out == asJSON:
					return a.printJSON(admin.LetterOf(&l, admin.Whole))
				}
				return a.printLetter(&l)
			})
		},
	}
	f.add(cmd)
	out.add(cmd)
	return cmd
}

func (a *app) printLetter(l *driver.DeadLetter) error {
	e := &l.Event
	rows := [][]string{{"type", e.Type}, {"destination", l.Destination}, {"group", l.Group}, {"aggregate", e.AggregateType + " " + e.AggregateID}, {"tenant", e.TenantID},
		{"correlation", e.CorrelationID}, {"trace", e.TraceID}, {"written", clock(l.CreatedAt)}, {"died", clock(l.DiedAt)},
		{"resolved", clock(l.ResolvedAt)}, {"note", noteOf(l)}, {"attempts", fmt.Sprint(l.Attempts)}, {"class", string(l.Class())},
		{"delivery", certainly[l.Delivered()]}}
	rows = slices.DeleteFunc(rows, func(r []string) bool { return r[1] == "" || r[1] == "-" })
	rows = slices.Insert(rows, 0, []string{"id", e.ID})
	if err := a.printTable("", rows); err != nil {
		return err
	}
	return a.printContent(e, l.Problem, l.Error, l.Failures)
}

// certainly says what is known about a delivery that did not succeed.
var certainly = map[driver.Delivered]string{
	driver.DeliveredNo:    "certainly not delivered",
	driver.DeliveredMaybe: "may have been delivered: its consumer may have it",
}

// attempt is the number of an attempt, if it was counted.
func attempt(n int) string {
	if n == 0 {
		return "-"
	}
	return fmt.Sprint(n)
}

func maybe(f *driver.Failure) string {
	if driver.MaybeDelivered([]driver.Failure{*f}) {
		return string(driver.DeliveredMaybe)
	}
	return string(driver.DeliveredNo)
}

// noteOf is what a person wrote about a letter.
func noteOf(l *driver.DeadLetter) string {
	if l.Note == "" {
		return ""
	}
	return fmt.Sprintf("%s (%s, %s)", l.Note, l.NotedBy, clock(l.NotedAt))
}

// printContent prints why an event failed, if it did, and what is in it.
func (a *app) printContent(e *outbox.Event, problem error, reason string, failures []driver.Failure) error {
	if problem != nil {
		fmt.Fprintf(a.stdout, "\nunreadable: %s\n", printable(problem.Error()))
	}
	if reason != "" {
		fmt.Fprintf(a.stdout, "\n%s\n", visible(reason, "\n\t"))
	}
	if len(failures) > 0 {
		fmt.Fprintln(a.stdout)
		var rows [][]string
		for _, f := range failures {
			rows = append(rows, []string{attempt(f.Attempt), clock(f.At), span(f.Took), string(f.Owner), cmp.Or(string(f.Class), "-"), maybe(&f), firstLine(f.Error, 80)})
		}
		if err := a.printTable("ATTEMPT AT TOOK RELAY CLASS DELIVERED ERROR", rows); err != nil {
			return err
		}
	}
	if len(e.Headers) > 0 {
		fmt.Fprintln(a.stdout)
		for _, k := range slices.Sorted(maps.Keys(e.Headers)) {
			fmt.Fprintf(a.stdout, "%s: %s\n", printable(k), printable(e.Headers[k]))
		}
	}
	if e.JSON == nil {
		fmt.Fprintf(a.stdout, "\n%d bytes: %q\n", len(e.Bytes), e.Bytes)
	} else {
		fmt.Fprintf(a.stdout, "\n%s\n", visible(string(e.JSON), "\n\t\r"))
	}
	return nil
}
