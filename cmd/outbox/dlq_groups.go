package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/driver"
)

func (a *app) dlqGroups() *cobra.Command {
	var f operatorFlags
	var out listOutput
	var limit int
	var which driver.GroupFilter
	var state, after, before string
	cmd := &cobra.Command{
		Use:   "groups",
		Short: "List why dead letters died, the latest reason first",
		Long: `Lists groups of dead letters: those of one event type and destination whose errors
differ only in words with digits, shown as #, and in what they quote. A relay puts
letters into groups within some seconds of their death.`,
		Example: `  outbox dlq groups
  outbox dlq groups --destination kafka#0:orders --after 1h
  outbox dlq groups --where state=investigating --where by=ann
  outbox dlq retry --group 9f86d081884c7d65 --note 'the gateway is back'`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if limit < 1 {
				return usagef("--limit is %d: ask for at least one", limit)
			}
			if err := oneOf("state", state, admin.GroupStates()); err != nil {
				return err
			}
			which.State = driver.GroupState(state)
			if which.LastAfter, which.LastBefore, err = readRange(after, before, time.Now()); err != nil {
				return err
			}
			return f.with(cmd.Context(), func(ctx context.Context, db operator) error {
				gs, err := db.Groups(ctx, which, oneMore(limit))
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
				case which != driver.GroupFilter{}:
					fmt.Fprintln(a.stdout, "No group matches.")
					return nil
				}
				return a.printNoGroups(ctx, db)
			})
		},
	}
	f.add(cmd)
	checkFilters(cmd)
	flags := cmd.Flags()
	flags.StringVar(&which.Lane, "type", "", "only those of this event `type`")
	flags.StringVar(&which.Destination, "destination", "", "only those of this `destination`")
	flags.StringVar(&which.Reason, "reason", "", "only those whose reason has this `text`")
	flags.StringVar(&state, "state", "", "only those in this `state`: "+strings.Join(admin.GroupStates(), ", "))
	flags.StringVar(&which.By, "by", "", "only those whose state this `person` or token set")
	flags.StringVar(&after, "after", "", "only those whose latest letter came after this "+timeFlag)
	flags.StringVar(&before, "before", "", "only those whose latest letter came before this `time`, likewise")
	completeFlag(cmd, "type", complete(&f, eventTypes, true))
	completeFlag(cmd, "destination", complete(&f, letterDestinations, true))
	values(cmd, "state", admin.GroupStates()...)
	flags.IntVar(&limit, "limit", 50, "at most this many")
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
	cmd := &cobra.Command{
		Use:   "mark GROUP new|investigating|muted",
		Short: "Say that you are looking at a group of dead letters, or mute it",
		Example: `  outbox dlq mark 9f86d081884c7d65 investigating --note 'asking the bank'
  outbox dlq mark 9f86d081884c7d65 muted --for 24h`,
		Args: cobra.ExactArgs(2),
		ValidArgsFunction: func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return admin.GroupStates(), cobra.ShellCompDirectiveNoFileComp
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
