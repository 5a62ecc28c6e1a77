package main

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/sendoff-go/outbox/dlq"
	"github.com/sendoff-go/outbox/driver"
)

func (a *app) dlq() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "dlq",
		Short: "Look at dead letters, and retry, resolve or delete them",
		Long: `Works with the dead-letter queue: events that were given up, each with its error
and its last ten attempts. A retry puts an event back into the outbox with the
same id, so that a consumer that got it after all skips it. Every change is in
the audit log; see "outbox audit".`,
		Example: `  outbox dlq groups
  outbox dlq list --type order-placed
  outbox dlq show 01M7KYSS57BTHAXT4Y24NXCHYH
  outbox dlq retry --type order-placed --error 'connection refused' --note 'the gateway is back'
  outbox dlq resolve --where type=order-placed --where tenant=acme --dry-run
  outbox dlq delete 01M7KYSS57BTHAXT4Y24NXCHYH --yes`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.dlqList(), a.dlqGroups(), a.dlqMark(), a.dlqShow(), a.dlqRetry(), a.dlqEdit(), a.dlqResolve(), a.dlqDelete(), a.dlqNote())
	return cmd
}

// filterFlags choose dead letters.
type filterFlags struct {
	filter        driver.DeadFilter
	before, after string
	payload       string
}

func (f *filterFlags) add(cmd *cobra.Command) {
	checkFilters(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.filter.Lane, "type", "", "only those of this event `type`")
	flags.StringVar(&f.filter.Error, "error", "", "only those whose error contains this `text`")
	flags.StringVar(&f.filter.Group, "group", "", "only those of this group; see outbox dlq groups")
	flags.StringVar(&f.filter.Destination, "destination", "", "only those that could not be delivered to this `destination`")
	flags.StringVar(&f.payload, "payload", "", payloadFlag)
	flags.StringVar(&f.filter.Tenant, "tenant", "", "only those of this tenant `id`")
	flags.StringVar(&f.filter.Key, "key", "", "only those of this aggregate `id`")
	flags.StringVar(&f.after, "after", "", "only those that died after this "+timeFlag)
	flags.StringVar(&f.before, "before", "", "only those that died before this `time`, likewise")
}

// read is the filter of the flags.
func (f *filterFlags) read(now time.Time) (driver.DeadFilter, error) {
	var err error
	f.filter.DiedAfter, f.filter.DiedBefore, err = readRange(f.after, f.before, now)
	return f.filter, err
}

// match is the condition on payloads.
func (f *filterFlags) match() (*dlq.PayloadMatch, error) { return matchOf(f.payload) }

// matchOf reads --payload.
func matchOf(payload string) (*dlq.PayloadMatch, error) {
	m, err := dlq.ParsePayloadMatch(payload)
	if err != nil {
		return nil, usagef("--payload is %q: %v", payload, dlq.ErrPayloadMatch)
	}
	return m, nil
}

// payloadFlag is what --payload means to commands that choose.
const payloadFlag = "only those whose payload has a field with a value: `path=value`, such as $.customer.id=4711"

// isSet reports whether one of the flags narrows anything.
func (f *filterFlags) isSet() bool {
	return f.filter != (driver.DeadFilter{Resolved: f.filter.Resolved}) || f.before != "" || f.after != "" || f.payload != ""
}
