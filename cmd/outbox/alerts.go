package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/alert"
	"github.com/sendoff-go/outbox/driver"
)

func (a *app) alerts() *cobra.Command {
	var f operatorFlags
	var out listOutput
	var limit int
	var state string
	var which driver.AlertFilter
	cmd := &cobra.Command{
		Use:   "alerts",
		Short: "List alerts, open ones first",
		Long: `Lists the alerts that watchers have raised. An alert resolves itself when its
cause is gone.`,
		Example: `  outbox alerts
  outbox alerts --state open --rule oldest-waiting
  outbox alerts mute 9f86d081884c7d65 --for 24h --note 'the bank is working on it'`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if limit < 1 {
				return usagef("--limit is %d: ask for at least one", limit)
			}
			if err := oneOf("state", state, admin.AlertStates()); err != nil {
				return err
			}
			which.State = driver.AlertState(state)
			return f.with(cmd.Context(), func(ctx context.Context, db operator) error {
				as, err := db.Alerts(ctx, which, limit)
				switch {
				case err != nil:
					return db.Problem("list alerts", err)
				case out.machine():
					return printList(a, out, as)
				}
				return a.printAlerts(as)
			})
		},
	}
	f.add(cmd)
	out.add(cmd)
	checkFilters(cmd)
	flags := cmd.Flags()
	flags.StringVar(&state, "state", "", "only those in this `state`: open, resolved or muted, which may be either")
	flags.StringVar(&which.Rule, "rule", "", "only those of this `rule`")
	values(cmd, "state", admin.AlertStates()...)
	values(cmd, "rule", alert.NoRelay, alert.OldestWaiting, alert.Unclaimed, alert.DestinationDown, alert.DeadLetters)
	flags.IntVar(&limit, "limit", 50, "at most this many")
	cmd.AddCommand(a.alertsMute(), a.alertsUnmute())
	return cmd
}

func (a *app) printAlerts(as []admin.Alert) error {
	if len(as) == 0 {
		fmt.Fprintln(a.stdout, "No alerts.")
		return nil
	}
	var rows [][]string
	for _, one := range as {
		state := string(one.Severity)
		switch {
		case one.ResolvedAt != nil:
			state = "resolved " + clockOf(one.ResolvedAt)
		case one.MutedUntil != nil:
			state += ", muted until " + clockOf(one.MutedUntil)
		}
		rows = append(rows, []string{one.ID, one.Rule, one.Subject, clock(one.RaisedAt), state, firstLine(one.Text, 100)})
	}
	return a.printTable("ALERT RULE SUBJECT RAISED STATE TEXT", rows)
}

func (a *app) alertsMute() *cobra.Command {
	var text string
	cmd := a.setMuted("mute", "Mute an alert for a time, even if it is raised again", func() (time.Time, error) {
		span, err := readFor(text)
		return time.Now().Add(span), err
	})
	cmd.Flags().StringVar(&text, "for", "", "how `long`, for example 24h or 7d")
	return cmd
}

func (a *app) alertsUnmute() *cobra.Command {
	return a.setMuted("unmute", "Unmute an alert", func() (time.Time, error) { return time.Time{}, nil })
}

func (a *app) setMuted(name, short string, until func() (time.Time, error)) *cobra.Command {
	var f operatorFlags
	var person personFlags
	var out output
	cmd := &cobra.Command{
		Use:               name + " ALERT",
		Short:             short,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: complete(&f, alertIDs, false),
		RunE: func(cmd *cobra.Command, args []string) error {
			end, err := until()
			if err != nil {
				return err
			}
			act := person.act()
			return f.with(cmd.Context(), func(ctx context.Context, db operator) error {
				found, err := db.MuteAlert(ctx, args[0], driver.AlertMute{MutedUntil: end, By: act.By, Note: act.Note})
				switch {
				case err != nil:
					return db.Problem(name+" an alert", err)
				case !found:
					return fmt.Errorf("no alert has the id %s: see outbox alerts", printable(args[0]))
				case out == asJSON:
					return a.printJSON(struct {
						ID         string    `json:"id"`
						MutedUntil time.Time `json:"muted_until,omitzero"`
					}{args[0], end.UTC()})
				}
				fmt.Fprintf(a.stdout, "%s  %sd\n", args[0], name)
				return nil
			})
		},
	}
	f.add(cmd)
	person.add(cmd)
	out.add(cmd)
	return cmd
}
