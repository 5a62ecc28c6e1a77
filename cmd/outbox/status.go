package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/driver"
)

func (a *app) status() *cobra.Command {
	var f outboxFlags
	var out output
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Show what waits, what failed, and which relays run",
		Long: `Shows the state of an outbox, from its database alone: how many events wait and
for how long, the dead letters, what is paused, and which relays run. Numbers are
counted up to a bound; a + says that there are more.`,
		Example: `  outbox status --database postgres://user:password@localhost:5432/shop`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.with(cmd.Context(), false, func(ctx context.Context, db *dburl.Handle) error {
				s, err := readState(ctx, db)
				if err != nil {
					return err
				}
				if out == asJSON {
					return a.printJSON(s.object())
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
	paused []string
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
	if len(s.paused) > 0 {
		fmt.Fprintf(a.stdout, "paused: %s\n", printable(strings.Join(s.paused, ", ")))
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

// countObject is a count as -o json prints it.
type countObject struct {
	N    int64 `json:"n"`
	More bool  `json:"more"`
}

type laneObject struct {
	Type    string      `json:"type"`
	Waiting countObject `json:"waiting"`
	Held    countObject `json:"held"`
	Dead    countObject `json:"dead"`
	Oldest  float64     `json:"oldest_due_seconds"`
}

type relayObject struct {
	Owner     string    `json:"owner"`
	Version   string    `json:"version"`
	StartedAt time.Time `json:"started_at"`
	SeenAt    time.Time `json:"seen_at"`
	Types     []string  `json:"types"`
}

type stateObject struct {
	laneObject
	Done   countObject   `json:"done"`
	Types  []laneObject  `json:"types"`
	Relays []relayObject `json:"relays"`
	Paused []string      `json:"paused"`
}

func (s state) object() stateObject {
	o := stateObject{laneObject: laneObject{
		Waiting: countObject(s.stats.Waiting), Held: countObject(s.stats.Held), Dead: countObject(s.stats.Dead), Oldest: s.stats.OldestDue.Seconds(),
	}, Done: countObject(s.stats.Done), Types: []laneObject{}, Relays: []relayObject{}, Paused: append([]string{}, s.paused...)}
	o.Type = "*"
	for _, l := range s.stats.Lanes {
		o.Types = append(o.Types, laneObject{l.Lane, countObject(l.Waiting), countObject(l.Held), countObject(l.Dead), l.OldestDue.Seconds()})
	}
	for _, in := range s.relays {
		o.Relays = append(o.Relays, relayObject{string(in.Owner), in.Version, in.StartedAt, in.SeenAt, append([]string{}, in.Lanes...)})
	}
	return o
}
