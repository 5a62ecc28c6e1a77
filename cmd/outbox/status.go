package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sendoff-go/outbox/admin"
)

func (a *app) status() *cobra.Command {
	var f operatorFlags
	var out listOutput
	var withRates bool
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Show what waits, what failed, how fast events go, and which relays run",
		Long: `Shows the state of an outbox: how many events wait and for how long, the dead
letters, what is paused, the destinations as relays have announced them within the
last minute, which relays run, and how many events come in, go out and fail per
second. Numbers are counted up to a bound; a + says that there are more.

Rates are the last line: relays announce what they have done every 5 s, so they take
up to 7 s to measure, unless no relay runs. --rates=false does not wait for them, nor
does -o json, whose figures are the totals of each relay.`,
		Example: `  outbox status --database postgres://user:password@localhost:5432/shop
  outbox status --api https://outbox.example:9464 --token-file ~/.outbox-token`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.with(cmd.Context(), func(ctx context.Context, db operator) error {
				s, err := db.Status(ctx)
				if err != nil {
					return db.Problem("count events", err)
				}
				if out.machine() {
					return a.printJSON(s)
				}
				at := time.Now()
				if err := a.printState(s); err != nil || !withRates || len(s.Relays) == 0 {
					return err
				}
				return a.printRates(ctx, db, s, at)
			})
		},
	}
	f.add(cmd)
	out.add(cmd)
	cmd.Flags().BoolVar(&withRates, "rates", true, "measure rates, for some seconds")
	return cmd
}

func (a *app) printState(s admin.Status) error {
	fmt.Fprintf(a.stdout, "waiting %s, oldest due %s; held %s; dead letters %s; delivered and kept %s\n",
		counted(s.Waiting), span(seconds(s.OldestDue)), counted(s.Held), counted(s.Dead), counted(s.Done))
	if len(s.Paused) > 0 {
		fmt.Fprintf(a.stdout, "paused: %s\n", printable(strings.Join(s.Paused, ", ")))
	}
	if len(s.Types) > 0 {
		fmt.Fprintln(a.stdout)
		var rows [][]string
		for _, l := range s.Types {
			rows = append(rows, []string{l.Type, counted(l.Waiting), span(seconds(l.OldestDue)), counted(l.Held), counted(l.Dead)})
		}
		if err := a.printTable("TYPE WAITING OLDEST HELD DEAD", rows); err != nil {
			return err
		}
	}
	if err := a.printDestinations(s.Destinations); err != nil {
		return err
	}
	fmt.Fprintln(a.stdout)
	if len(s.Relays) == 0 {
		fmt.Fprintln(a.stdout, "No relay is running: start one, or nothing is delivered.")
		return nil
	}
	var rows [][]string
	for _, in := range s.Relays {
		rows = append(rows, []string{in.Owner, in.Version, clock(in.StartedAt), fmt.Sprint(len(in.Types))})
	}
	return a.printTable("RELAY VERSION STARTED TYPES", rows)
}
