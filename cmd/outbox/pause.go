package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sendoff-go/outbox/driver"
)

func (a *app) pause() *cobra.Command {
	return a.setPaused(true, eventTypes, destinations, "pause", "Pause the delivery of event types, to destinations, or of everything, on every relay")
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
	var f operatorFlags
	var person personFlags
	var choice pauseChoice
	var out output
	cmd := &cobra.Command{
		Use:   name + " [TYPE...]",
		Short: short,
		Long: short + `.

Relays notice within two seconds. They finish the deliveries that are running. Events
that arrive during a pause wait, and use up no attempts. --all is a pause of its own:
a type that was also paused by name stays paused when --all is resumed. outbox status
lists the destinations by name.`,
		Example: "  outbox " + name + " order-placed --note 'the gateway is being repaired'\n  outbox " + name + " --destination 'kafkasink#0:orders'\n  outbox " + name + " --all",

		ValidArgsFunction: complete(&f, types, true),
		RunE: func(cmd *cobra.Command, types []string) error {
			choice.types = types
			chosen, err := choice.what(name)
			if err != nil {
				return err
			}
			return f.with(cmd.Context(), func(ctx context.Context, db operator) error {
				now, err := db.SetPaused(ctx, chosen, paused, person.act())
				if err != nil {
					err = db.Problem(name, err)
					if code := codeOf(err); len(chosen) > 1 && code != exitRefused && code != exitUsage {
						err = errors.Join(err, a.printSome(ctx, db, out))
					}
					return err
				}
				if paused {
					a.warnUnknown(ctx, db, &choice)
				}
				return a.printPaused(now, out)
			})
		},
	}
	f.add(cmd)
	person.add(cmd)
	out.add(cmd)
	cmd.Flags().BoolVar(&choice.all, "all", false, "all event types")
	cmd.Flags().StringArrayVar(&choice.destinations, "destination", nil, "`name` of a destination; may be repeated")
	completeFlag(cmd, "destination", complete(&f, dests, true))
	return cmd
}

// warnUnknown says which names no relay has: one may be mistyped. That is not an
// error, since a relay that has it may start later.
func (a *app) warnUnknown(ctx context.Context, db operator, c *pauseChoice) {
	if len(c.types)+len(c.destinations) == 0 {
		return
	}
	s, err := db.Status(ctx)
	if err != nil || len(s.Relays) == 0 {
		return
	}
	dests, types := map[string]bool{}, map[string]bool{"*": true}
	patterns := false // types that no relay has seen yet may be known
	for _, d := range s.Destinations {
		dests[d.Name] = d.Relays > 0
		patterns = patterns || d.MoreTypes
	}
	for _, l := range s.Types {
		types[l.Type] = true
	}
	for _, r := range s.Relays {
		for _, t := range r.Types {
			types[t] = true
		}
	}
	for _, name := range c.types {
		if !types[name] && !patterns {
			fmt.Fprintf(a.stderr, "No running relay has the event type %s, and no event of it waits: see outbox status -o json for their names.\n", printable(name))
		}
	}
	for _, name := range c.destinations {
		if !dests[name] && len(s.Destinations) < driver.MaxInstanceDestinations { // there may be more
			fmt.Fprintf(a.stderr, "No running relay has the destination %s: see outbox status for their names.\n", printable(name))
		}
	}
}

// printSome prints what is paused after an error: a part of the change may be
// made.
func (a *app) printSome(ctx context.Context, db operator, out output) error {
	s, err := db.Status(ctx)
	if err != nil {
		return nil //nolint:nilerr // for the same reason
	}
	var now []driver.Pausable
	for _, t := range s.Paused {
		now = append(now, driver.PausableLane(t))
	}
	for _, d := range pausedOf(s.Destinations) {
		now = append(now, driver.PausableDestination(d))
	}
	return a.printPaused(now, out)
}

func (a *app) printPaused(now []driver.Pausable, out output) error {
	types, dests := []string{}, []string{}
	for _, p := range now {
		if p.Kind == driver.LanePause {
			types = append(types, p.Name)
		} else {
			dests = append(dests, p.Name)
		}
	}
	if out == asJSON {
		return a.printJSON(struct {
			Paused       []string `json:"paused"`
			Destinations []string `json:"destinations"`
		}{types, dests})
	}
	if len(now) == 0 {
		fmt.Fprintln(a.stdout, "nothing is paused")
	}
	if len(types) > 0 {
		fmt.Fprintf(a.stdout, "paused: %s\n", printable(strings.Join(types, ", ")))
	}
	if len(dests) > 0 {
		fmt.Fprintf(a.stdout, "paused destinations: %s\n", printable(strings.Join(dests, ", ")))
	}
	return nil
}
