package main

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sendoff-go/outbox/driver"
)

// completeWithin is short: a person waits for a completion.
var completeWithin = 2 * time.Second

// A list that nobody can read is cut.
const (
	completeMost     = 100
	completeSearched = 10 * completeMost // letters, for those that begin as typed
)

// lookUp finds what could be meant in an outbox.
type lookUp func(ctx context.Context, db operator) []string

// complete makes a completion of a look-up in the outbox that the flags name.
// It is silent if that fails: an error would appear in the command line that is
// being typed.
func complete(f *operatorFlags, find lookUp, repeats bool) cobra.CompletionFunc {
	return func(cmd *cobra.Command, given []string, begin string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(given) > 0 && !repeats {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		ctx := cmd.Context()
		if ctx == nil {
			ctx = context.Background()
		}
		ctx, cancel := context.WithTimeout(ctx, completeWithin)
		defer cancel()
		db, err := f.reach(ctx, completeWithin)
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		defer func() { _ = db.Close() }() // it was only read
		var out []cobra.Completion
		for _, one := range find(ctx, db) {
			value, description, _ := strings.Cut(one, "\t")
			if strings.HasPrefix(value, begin) && !slices.Contains(given, value) && typable(value) && len(out) < completeMost {
				out = append(out, cobra.CompletionWithDesc(value, description))
			}
		}
		return out, cobra.ShellCompDirectiveNoFileComp
	}
}

// typable reports whether a text is safe in a command line as it is: what
// others stored must not end up as a command. A # begins a comment only at the
// beginning of a word; within one it is part of the names of destinations.
func typable(s string) bool {
	return s != "" && s[0] != '#' && !strings.ContainsFunc(s, func(r rune) bool {
		return r <= ' ' || r > '~' || strings.ContainsRune("'\"\\`$&|;<>(){}!*?[]~", r)
	})
}

// eventTypes are those that wait, died, are paused or are known to a relay.
func eventTypes(ctx context.Context, db operator) (all []string) {
	s, err := db.Status(ctx)
	if err != nil {
		return nil
	}
	for _, l := range s.Types {
		all = append(all, l.Type)
	}
	for _, r := range s.Relays {
		all = append(all, r.Types...)
	}
	all = append(all, byName(s.Paused)...)
	slices.Sort(all)
	return slices.Compact(all)
}

// pausedTypes are those that can be resumed by name.
func pausedTypes(ctx context.Context, db operator) []string {
	s, err := db.Status(ctx)
	if err != nil {
		return nil
	}
	return byName(s.Paused)
}

// byName leaves out what stands for all types.
func byName(paused []string) []string {
	return slices.DeleteFunc(paused, func(t string) bool { return t == "*" })
}

// destinations are those that are paused or known to a relay.
func destinations(ctx context.Context, db operator) (all []string) {
	s, err := db.Status(ctx)
	if err != nil {
		return nil
	}
	for _, d := range s.Destinations {
		all = append(all, d.Name)
	}
	return all
}

// pausedDestinations are those that can be resumed.
func pausedDestinations(ctx context.Context, db operator) []string {
	s, err := db.Status(ctx)
	if err != nil {
		return nil
	}
	return pausedOf(s.Destinations)
}

// letterIDs are the ids of the latest dead letters, each with what it is about.
func letterIDs(ctx context.Context, db operator) (all []string) {
	letters, err := db.Letters(ctx, driver.DeadFilter{}, "", completeSearched)
	if err != nil {
		return nil
	}
	for _, l := range letters {
		all = append(all, l.ID+"\t"+printable(l.Type+": "+firstLine(l.Error, 60)))
	}
	return all
}

// letterDestinations are those that dead letters were not delivered to, and those
// that relays know.
func letterDestinations(ctx context.Context, db operator) []string {
	all := destinations(ctx, db)
	groups, _ := db.Groups(ctx, driver.GroupFilter{}, completeMost) // a completion has nobody to tell
	for _, g := range groups {
		all = append(all, g.Destination)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// eventIDs are the ids of the latest events, each with what it is about.
func eventIDs(ctx context.Context, db operator) (all []string) {
	events, _, err := db.LatestEvents(ctx, driver.EventFilter{}, "", false, completeSearched)
	if err != nil {
		return nil
	}
	for i := range events {
		all = append(all, events[i].ID+"\t"+printable(events[i].Type+": "+string(events[i].Status)))
	}
	return all
}

// groupIDs are the groups of dead letters, each with what it is about.
func groupIDs(ctx context.Context, db operator) (all []string) {
	groups, err := db.Groups(ctx, driver.GroupFilter{}, completeMost)
	if err != nil {
		return nil
	}
	for _, g := range groups {
		all = append(all, g.ID+"\t"+printable(g.Type+": "+firstLine(g.Reason, 60)))
	}
	return all
}

// alertIDs are the alerts, each with what it is about.
func alertIDs(ctx context.Context, db operator) (all []string) {
	alerts, err := db.Alerts(ctx, driver.AlertFilter{}, completeMost)
	if err != nil {
		return nil
	}
	for _, one := range alerts {
		all = append(all, one.ID+"\t"+printable(one.Rule+" "+one.Subject))
	}
	return all
}

// values completes a flag that takes one of a few values.
func values(cmd *cobra.Command, flag string, all ...string) {
	completeFlag(cmd, flag, cobra.FixedCompletions(all, cobra.ShellCompDirectiveNoFileComp))
}

// Completions of what names a file or a folder: all else has no files to offer, see root.
var (
	files   = cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault)
	folders = cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs)
)

// completeFlag panics if there is no such flag.
func completeFlag(cmd *cobra.Command, flag string, f cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic(err)
	}
}
