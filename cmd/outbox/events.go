package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/driver"
)

func (a *app) events() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "events",
		Short: "Look at the events of the outbox, waiting or delivered",
		Long: `Shows events of the outbox itself: those that wait, those that a relay holds, and
delivered ones until their retention ends. Those that were given up are dead
letters; see "outbox dlq". The table has no indexes for such searches: a filter
reads it from the latest event on, in steps of 2,500.`,
		Example: `  outbox events list --type order-placed --status waiting
  outbox events show 01M7KYSS57BTHAXT4Y24NXCHYH
  outbox events list --payload '$.customer.id=4711' --payloads
  outbox events tail --tenant acme`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.eventsList(), a.eventsShow(), a.eventsTail())
	return cmd
}

// eventFlags choose events.
type eventFlags struct {
	filter        driver.EventFilter
	payload       string
	before, after string
}

func (f *eventFlags) add(cmd *cobra.Command, db *operatorFlags) {
	checkFilters(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.filter.Lane, "type", "", "only those of this event `type`")
	flags.StringVar(&f.filter.Tenant, "tenant", "", "only those of this tenant `id`")
	flags.StringVar(&f.filter.Key, "key", "", "only those of this aggregate `id`")
	flags.StringVar(&f.payload, "payload", "", payloadFlag)
	completeFlag(cmd, "type", complete(db, eventTypes, true))
}

func (f *eventFlags) addTimes(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.after, "after", "", "only those written after this "+timeFlag)
	flags.StringVar(&f.before, "before", "", "only those written before this `time`, likewise")
}

// read is the filter of the flags.
func (f *eventFlags) read(now time.Time) (driver.EventFilter, error) {
	var err error
	f.filter.WrittenAfter, f.filter.WrittenBefore, err = readRange(f.after, f.before, now)
	return f.filter, err
}

func (a *app) eventsList() *cobra.Command {
	var f operatorFlags
	var filter eventFlags
	var out listOutput
	var limit int
	var payloads bool
	var status string
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List events, latest first",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if limit < 1 {
				return usagef("--limit is %d: ask for at least one", limit)
			}
			switch filter.filter.Status = driver.EventStatus(status); filter.filter.Status {
			case "", driver.EventWaiting, driver.EventHeld, driver.EventDone, driver.EventDead:
			default:
				return usagef("--status is %q: use waiting, held, done or dead", status)
			}
			which, err := filter.read(time.Now())
			if err != nil {
				return err
			}
			if _, err := matchOf(filter.payload); err != nil {
				return err
			}
			return f.with(cmd.Context(), func(ctx context.Context, db operator) error {
				es, err := db.Events(ctx, which, filter.payload, payloads, limit)
				if err != nil {
					return db.Problem("list events", err)
				}
				if out.machine() {
					return printList(a, out, es)
				}
				if len(es) == 0 {
					fmt.Fprintln(a.stdout, "No events.")
					return nil
				}
				return a.printEvents(es, payloads)
			})
		},
	}
	f.add(cmd)
	filter.add(cmd, &f)
	filter.addTimes(cmd)
	cmd.Flags().StringVar(&status, "status", "", "only those that are waiting, held, done or dead")
	values(cmd, "status", string(driver.EventWaiting), string(driver.EventHeld), string(driver.EventDone), string(driver.EventDead))
	cmd.Flags().IntVar(&limit, "limit", 50, "at most this many")
	cmd.Flags().BoolVar(&payloads, "payloads", false, "show payloads, and with -o headers too")
	out.add(cmd)
	return cmd
}

func (a *app) printEvents(es []admin.Event, payloads bool) error {
	head, rows := "ID TYPE STATUS WRITTEN DONE ATTEMPTS AGGREGATE", [][]string{}
	if payloads {
		head += " PAYLOAD"
	}
	for i := range es {
		s := &es[i]
		row := []string{s.ID, s.Type, string(s.Status), clock(s.CreatedAt), clockOf(s.DoneAt), fmt.Sprint(s.Attempts), aggregateOf(s)}
		if payloads {
			row = append(row, payloadText(s))
		}
		rows = append(rows, row)
	}
	return a.printTable(head, rows)
}

func aggregateOf(s *admin.Event) string {
	if s.AggregateID == "" {
		return "-"
	}
	return s.AggregateType + "/" + s.AggregateID
}

// payloadText is a payload in one line.
func payloadText(s *admin.Event) string {
	switch c := eventContent(s); {
	case c.hidden():
		return "hidden"
	case c.bytes != nil:
		return fmt.Sprintf("%d bytes", len(*c.bytes))
	}
	return printable(s.Payload)
}
