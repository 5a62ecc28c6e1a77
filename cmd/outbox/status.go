package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/driver"
)

func (a *app) status() *cobra.Command {
	var f outboxFlags
	var out listOutput
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Show what waits, what failed, and which relays run",
		Long: `Shows the state of an outbox, from its database alone: how many events wait and
for how long, the dead letters, what is paused, the destinations as relays have
announced them within the last minute, and which relays run. Numbers are counted
up to a bound; a + says that there are more.`,
		Example: `  outbox status --database postgres://user:password@localhost:5432/shop`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.with(cmd.Context(), false, func(ctx context.Context, db *dburl.Handle) error {
				s, err := readState(ctx, db)
				if err != nil {
					return err
				}
				if out.machine() {
					return a.printJSON(admin.StatusOf(s.stats, s.relays, s.paused))
				}
				return a.printState(s)
			})
		},
	}
	f.add(cmd)
	out.add(cmd)
	return cmd
}

// state is what the database knows of an outbox.
type state struct {
	stats  driver.Stats
	relays []driver.Instance
	paused []driver.Pause
}

func readState(ctx context.Context, db *dburl.Handle) (s state, err error) {
	if s.stats, err = db.Store.Stats(ctx); err != nil {
		return s, db.Problem("count events", err)
	}
	if s.relays, err = db.Store.Instances(ctx); err != nil {
		return s, db.Problem("list relays", err)
	}
	s.paused, err = db.Store.Paused(ctx)
	return s, db.Problem("read what is paused", err)
}

func (a *app) printState(s state) error {
	st := s.stats
	fmt.Fprintf(a.stdout, "waiting %s, oldest due %s; held %s; dead letters %s; delivered and kept %s\n",
		counted(st.Waiting), span(st.OldestDue), counted(st.Held), counted(st.Dead), counted(st.Done))
	if types := driver.Pauses(s.paused, driver.LanePause); len(types) > 0 {
		fmt.Fprintf(a.stdout, "paused: %s\n", printable(strings.Join(types, ", ")))
	}
	if len(st.Lanes) > 0 {
		fmt.Fprintln(a.stdout)
		var rows [][]string
		for _, l := range st.Lanes {
			rows = append(rows, []string{l.Lane, counted(l.Waiting), span(l.OldestDue), counted(l.Held), counted(l.Dead)})
		}
		if err := a.printTable("TYPE WAITING OLDEST HELD DEAD", rows); err != nil {
			return err
		}
	}
	if err := a.printDestinations(admin.DestinationsOf(s.relays, s.paused)); err != nil {
		return err
	}
	fmt.Fprintln(a.stdout)
	if len(s.relays) == 0 {
		fmt.Fprintln(a.stdout, "No relay is running: start one, or nothing is delivered.")
		return nil
	}
	var rows [][]string
	for _, in := range s.relays {
		rows = append(rows, []string{string(in.Owner), in.Version, clock(in.StartedAt), fmt.Sprint(len(in.Lanes))})
	}
	return a.printTable("RELAY VERSION STARTED TYPES", rows)
}
