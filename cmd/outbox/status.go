package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sendoff-go/outbox/admin"
)

func (a *app) status() *cobra.Command {
	var f operatorFlags
	var out listOutput
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Show what waits, what failed, and which relays run",
		Long: `Shows the state of an outbox: how many events wait and for how long, the dead
letters, what is paused, the destinations as relays have announced them within the
last minute, and which relays run. Numbers are counted up to a bound; a + says that
there are more.`,
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
				return a.printState(s)
			})
		},
	}
	f.add(cmd)
	out.add(cmd)
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
