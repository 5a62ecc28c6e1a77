package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/driver"
)

func (a *app) pause() *cobra.Command {
	return a.setPaused(true, eventTypes, destinations, "pause", "Stop the delivery of some event types, to some destinations, or of all, on every relay")
}

func (a *app) resume() *cobra.Command {
	return a.setPaused(false, pausedTypes, pausedDestinations, "resume", "Resume the delivery of event types, or to destinations, that were paused")
}

// pauseChoice is what to pause or resume.
type pauseChoice struct {
	types, destinations []string
	all                 bool
}

func (c *pauseChoice) what(command string) (chosen []driver.Pausable, err error) {
	switch some := len(c.types)+len(c.destinations) > 0; {
	case c.all && some:
		return nil, usagef("name event types or destinations, or pass --all, not both")
	case c.all:
		return []driver.Pausable{driver.PausableLane("*")}, nil
	case !some:
		return nil, usagef("nothing to %s: name event types, pass --destination, or pass --all", command)
	}
	for _, t := range c.types {
		chosen = append(chosen, driver.PausableLane(t))
	}
	for _, d := range c.destinations {
		chosen = append(chosen, driver.PausableDestination(d))
	}
	for _, p := range chosen {
		if err := p.Check(); err != nil {
			return nil, usagef("%v", err)
		}
	}
	return chosen, nil
}

func (a *app) setPaused(paused bool, types, dests lookUp, name, short string) *cobra.Command {
	var f outboxFlags
	var person personFlags
	var choice pauseChoice
	cmd := &cobra.Command{
		Use:   name + " [TYPE...]",
		Short: short,
		Long: short + `. Relays notice within two seconds. Deliveries that run are finished, and events that
come meanwhile wait, without using up attempts. A type that was paused by itself
stays paused when all are resumed. outbox status lists the destinations by name.`,
		Example: "  outbox " + name + " order-placed --note 'the gateway is being repaired'\n  outbox " + name + " --destination 'kafkasink#0:orders'\n  outbox " + name + " --all",

		ValidArgsFunction: complete(&f, types, true),
		RunE: func(cmd *cobra.Command, types []string) error {
			choice.types = types
			chosen, err := choice.what(name)
			if err != nil {
				return err
			}
			return f.with(cmd.Context(), false, func(ctx context.Context, db *dburl.Handle) error {
				act := person.act()
				for _, p := range chosen {
					if err := db.Store.SetPaused(driver.WithAct(ctx, act), p, paused, act.By); err != nil {
						return errors.Join(db.Problem(name+" "+p.Name, err), a.printPaused(ctx, db)) // some may be
					}
				}
				if paused {
					a.warnUnknown(ctx, db, choice.destinations)
				}
				return a.printPaused(ctx, db)
			})
		},
	}
	f.add(cmd)
	person.add(cmd)
	cmd.Flags().BoolVar(&choice.all, "all", false, "all event types")
	cmd.Flags().StringArrayVar(&choice.destinations, "destination", nil, "a destination by `name`, which may be repeated")
	completeFlag(cmd, "destination", complete(&f, dests, true))
	return cmd
}

// warnUnknown says which destinations no relay has: a name may be mistyped. It is
// no error, since a relay that has it may start later.
func (a *app) warnUnknown(ctx context.Context, db *dburl.Handle, names []string) {
	relays, err := db.Store.Instances(ctx)
	if err != nil || len(relays) == 0 {
		return
	}
	known := map[string]bool{}
	for _, r := range relays {
		if len(r.Destinations) == driver.MaxInstanceDestinations {
			return // there may be more
		}
		for _, d := range r.Destinations {
			known[d.Name] = true
		}
	}
	for _, name := range names {
		if !known[name] {
			fmt.Fprintf(a.stderr, "No relay that runs has the destination %s: outbox status lists them.\n", printable(name))
		}
	}
}

func (a *app) printPaused(ctx context.Context, db *dburl.Handle) error {
	all, err := db.Store.Paused(ctx)
	if err != nil {
		return db.Problem("read what is paused", err)
	}
	if len(all) == 0 {
		fmt.Fprintln(a.stdout, "nothing is paused")
		return nil
	}
	if types := driver.Pauses(all, driver.LanePause); len(types) > 0 {
		fmt.Fprintf(a.stdout, "paused: %s\n", printable(strings.Join(types, ", ")))
	}
	if names := driver.Pauses(all, driver.DestinationPause); len(names) > 0 {
		fmt.Fprintf(a.stdout, "paused destinations: %s\n", printable(strings.Join(names, ", ")))
	}
	return nil
}
