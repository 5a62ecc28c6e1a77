package main

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/driver"
)

func (a *app) dlqGroups() *cobra.Command {
	var f operatorFlags
	var out listOutput
	var limit int
	cmd := &cobra.Command{
		Use:   "groups",
		Short: "List why dead letters died, the latest reason first",
		Long: `Lists groups of dead letters: those of one event type and destination whose errors
differ only in words with digits, shown as #, and in what they quote. A relay puts
letters into groups within some seconds of their death.`,
		Example: `  outbox dlq groups
  outbox dlq retry --group 9f86d081884c7d65 --note 'the gateway is back'`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if limit < 1 {
				return usagef("--limit is %d: ask for at least one", limit)
			}
			return f.with(cmd.Context(), func(ctx context.Context, db operator) error {
				gs, err := db.Groups(ctx, limit+1)
				if err != nil {
					return db.Problem("list groups of dead letters", err)
				}
				more := len(gs) > limit
				gs = gs[:min(len(gs), limit)]
				switch {
				case out.machine():
					return printList(a, out, gs)
				case len(gs) > 0:
					return a.printGroups(gs, more)
				}
				return a.printNoGroups(ctx, db)
			})
		},
	}
	f.add(cmd)
	cmd.Flags().IntVar(&limit, "limit", 50, "at most this many")
	out.add(cmd)
	return cmd
}

func (a *app) printGroups(gs []admin.Group, more bool) error {
	var rows [][]string
	for _, g := range gs {
		state := string(g.State)
		switch g.State {
		case driver.GroupInvestigating:
			state += " by " + g.By + " since " + clockOf(g.MarkedAt)
		case driver.GroupMuted:
			state += " until " + clockOf(g.MutedUntil)
		case driver.GroupNew:
		}
		rows = append(rows, []string{g.ID, counted(g.Open), clock(g.FirstAt), clock(g.LastAt), g.Type, cmp.Or(g.Destination, "-"), state, cmp.Or(firstLine(g.Note, 40), "-"), firstLine(g.Reason, 80)})
	}
	err := a.printTable("GROUP OPEN FIRST LAST TYPE DESTINATION STATE NOTE REASON", rows)
	if more {
		fmt.Fprintf(a.stdout, "%d groups, and there are more; see --limit\n", len(gs))
	}
	return err
}

// printNoGroups says whether there are letters nevertheless.
func (a *app) printNoGroups(ctx context.Context, db operator) error {
	n, err := db.CountLetters(ctx, driver.DeadFilter{}, "")
	switch {
	case err != nil:
		return db.Problem("count dead letters", err)
	case n.N > 0:
		fmt.Fprintf(a.stdout, "%s dead letters are in no group yet: a relay groups them; see outbox dlq list\n", counted(n))
	default:
		fmt.Fprintln(a.stdout, "No dead letters.")
	}
	return nil
}

func (a *app) dlqMark() *cobra.Command {
	var f operatorFlags
	var person personFlags
	var out output
	var until string
	states := []string{string(driver.GroupNew), string(driver.GroupInvestigating), string(driver.GroupMuted)}
	cmd := &cobra.Command{
		Use:   "mark GROUP new|investigating|muted",
		Short: "Say that you are looking at a group of dead letters, or mute it",
		Example: `  outbox dlq mark 9f86d081884c7d65 investigating --note 'asking the bank'
  outbox dlq mark 9f86d081884c7d65 muted --for 24h`,
		Args: cobra.ExactArgs(2),
		ValidArgsFunction: func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return states, cobra.ShellCompDirectiveNoFileComp
			}
			return complete(&f, groupIDs, false)(cmd, args, typed)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			act := person.act()
			m := driver.GroupMark{State: driver.GroupState(args[1]), By: act.By, Note: act.Note}
			switch m.State {
			case driver.GroupMuted:
				span, err := readFor(until)
				if err != nil {
					return err
				}
				m.MutedUntil = time.Now().Add(span)
			case driver.GroupNew, driver.GroupInvestigating:
				if until != "" {
					return usagef("--for is for the state muted")
				}
			default:
				return usagef("the state is %q: say new, investigating or muted", args[1])
			}
			return f.with(cmd.Context(), func(ctx context.Context, db operator) error {
				g, found, err := db.MarkGroup(ctx, args[0], m)
				switch {
				case err != nil:
					return db.Problem("mark a group of dead letters", err)
				case !found:
					return fmt.Errorf("no group has the id %s: see outbox dlq groups", printable(args[0]))
				case out == asJSON:
					return a.printJSON(g)
				}
				fmt.Fprintf(a.stdout, "%s  %s\n", args[0], m.State)
				return nil
			})
		},
	}
	f.add(cmd)
	person.add(cmd)
	out.add(cmd)
	cmd.Flags().StringVar(&until, "for", "", "how `long` to mute it, for example 24h or 7d")
	return cmd
}
