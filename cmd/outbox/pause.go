package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

func (a *app) pause() *cobra.Command {
	return a.setPaused(true, eventTypes, "pause", "Stop the delivery of some event types, or of all, on every relay")
}

func (a *app) resume() *cobra.Command {
	return a.setPaused(false, pausedTypes, "resume", "Resume the delivery of event types that were paused")
}

func (a *app) setPaused(paused bool, types lookUp, name, short string) *cobra.Command {
	var f operatorFlags
	var person personFlags
	var all bool
	cmd := &cobra.Command{
		Use:   name + " [TYPE...]",
		Short: short,
		Long: short + `. Relays notice within two seconds. Deliveries that run are finished, and events that
come meanwhile wait. A type that was paused by itself stays paused when all are
resumed.`,
		Example:           "  outbox " + name + " order-placed --note 'the gateway is being repaired'\n  outbox " + name + " --all",
		ValidArgsFunction: complete(&f, types, true),
		RunE: func(cmd *cobra.Command, types []string) error {
			switch {
			case all && len(types) > 0:
				return usagef("name event types, or pass --all, not both")
			case !all && len(types) == 0:
				return usagef("nothing to %s: name event types, or pass --all", name)
			case all:
				types = []string{"*"}
			}
			return f.with(cmd.Context(), func(ctx context.Context, db operator) error {
				now, err := db.SetPaused(ctx, types, paused, person.act())
				if err != nil {
					err = db.Problem(name+" event types", err)
					if s, more := db.Status(ctx); more == nil { // some may be
						a.printPaused(s.Paused)
					}
					return err
				}
				a.printPaused(now)
				return nil
			})
		},
	}
	f.add(cmd)
	person.add(cmd)
	cmd.Flags().BoolVar(&all, "all", false, "all event types")
	return cmd
}

func (a *app) printPaused(types []string) {
	if len(types) == 0 {
		fmt.Fprintln(a.stdout, "nothing is paused")
		return
	}
	fmt.Fprintf(a.stdout, "paused: %s\n", printable(strings.Join(types, ", ")))
}
