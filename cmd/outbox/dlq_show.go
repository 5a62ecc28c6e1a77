package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/cmd/internal/screen"
	"github.com/sendoff-go/outbox/driver"
)

func (a *app) dlqShow() *cobra.Command {
	var f operatorFlags
	var out output
	cmd := &cobra.Command{
		Use:   "show ID",
		Short: "Show one dead letter with its attempts, headers and payload",
		Long: `Shows one dead letter with its attempts, headers and payload, and at most ten
earlier letters of the same id: the original of an edit whose event died again, and
what was resolved before.`,
		Args: cobra.ExactArgs(1),

		ValidArgsFunction: complete(&f, letterIDs, false),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.with(cmd.Context(), func(ctx context.Context, db operator) error {
				l, found, err := db.Letter(ctx, args[0])
				switch {
				case err != nil:
					return db.Problem("read a dead letter", err)
				case !found:
					return fmt.Errorf("no dead letter has the id %s: it was retried or deleted, or never died", printable(args[0]))
				case out == asJSON:
					return a.printJSON(l)
				}
				return a.printLetter(&l)
			})
		},
	}
	f.add(cmd)
	out.add(cmd)
	return cmd
}

func (a *app) printLetter(l *admin.Letter) error {
	rows := [][]string{{"type", l.Type}, {"destination", l.Destination}, {"group", l.Group}, {"aggregate", strings.TrimSpace(l.AggregateType + " " + l.AggregateID)}, {"tenant", l.TenantID},
		{"correlation", l.CorrelationID}, {"trace", l.TraceID}, {"written", clock(l.CreatedAt)}, {"died", clock(l.DiedAt)},
		{"resolved", clockOf(l.ResolvedAt)}, {"note", noteOf(l)}, {"attempts", fmt.Sprint(l.Attempts)}, {"class", l.Class},
		{"delivery", certainly[l.Delivered]}}
	rows = slices.DeleteFunc(rows, func(r []string) bool { return r[1] == "" || r[1] == "-" })
	rows = slices.Insert(rows, 0, []string{"id", l.ID})
	if err := a.printTable("", rows); err != nil {
		return err
	}
	if err := a.printContent(content{l.Unreadable, l.Error, l.Failures, l.Headers, l.Payload, l.PayloadBytes}); err != nil {
		return err
	}
	for _, e := range l.Earlier {
		fmt.Fprintf(a.stdout, "\nan earlier letter of this id, died %s, edited or resolved %s\n", clock(e.DiedAt), clockOf(e.ResolvedAt))
		if err := a.printContent(content{e.Unreadable, e.Error, nil, e.Headers, e.Payload, e.PayloadBytes}); err != nil {
			return err
		}
	}
	return nil
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

func maybe(f *admin.Failure) string {
	if f.Maybe || f.MaybeBefore {
		return string(driver.DeliveredMaybe)
	}
	return string(driver.DeliveredNo)
}

// noteOf is what a person wrote about a letter.
func noteOf(l *admin.Letter) string {
	if l.Note == "" {
		return ""
	}
	return fmt.Sprintf("%s (%s, %s)", l.Note, l.NotedBy, clockOf(l.NotedAt))
}

// content is why an event or a letter failed, if it did, and what is in it.
type content struct {
	unreadable, reason string
	failures           []admin.Failure
	headers            map[string]string
	payload            string
	bytes              *[]byte
}

// hidden reports whether the server keeps payload and headers to itself.
func (c *content) hidden() bool { return c.payload == "" && c.bytes == nil }

func (a *app) printContent(c content) error {
	if c.unreadable != "" {
		fmt.Fprintf(a.stdout, "\nunreadable: %s\n", printable(c.unreadable))
	}
	if c.reason != "" {
		fmt.Fprintf(a.stdout, "\n%s\n", screen.Visible(c.reason, "\n\t"))
	}
	if len(c.failures) > 0 {
		fmt.Fprintln(a.stdout)
		var rows [][]string
		for _, f := range c.failures {
			rows = append(rows, []string{attempt(f.Attempt), clock(f.At), span(seconds(f.Seconds)), f.Relay, cmp.Or(f.Class, "-"), maybe(&f), firstLine(f.Error, 80)})
		}
		if err := a.printTable("ATTEMPT AT TOOK RELAY CLASS DELIVERED ERROR", rows); err != nil {
			return err
		}
	}
	if len(c.headers) > 0 {
		fmt.Fprintln(a.stdout)
		for _, k := range slices.Sorted(maps.Keys(c.headers)) {
			fmt.Fprintf(a.stdout, "%s: %s\n", printable(k), printable(c.headers[k]))
		}
	}
	switch {
	case c.hidden():
		fmt.Fprintln(a.stdout, "\nThe server hides headers and payload from your role.")
	case c.bytes != nil:
		fmt.Fprintf(a.stdout, "\n%d bytes: %q\n", len(*c.bytes), *c.bytes)
	default:
		fmt.Fprintf(a.stdout, "\n%s\n", screen.Visible(c.payload, "\n\t\r"))
	}
	return nil
}
