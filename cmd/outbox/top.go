package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/sendoff-go/outbox/cmd/internal/top"
)

// topOutput is the value of -o of top.
type topOutput string

const (
	topLive topOutput = "live"
	topText topOutput = "text"
)

// String implements [pflag.Value].
func (o *topOutput) String() string { return string(*o) }

// Type implements [pflag.Value].
func (o *topOutput) Type() string { return "format" }

// Set implements [pflag.Value].
func (o *topOutput) Set(s string) error {
	if s != string(topLive) && s != string(topText) {
		return errors.New("must be live or text; outbox status has json")
	}
	*o = topOutput(s)
	return nil
}

func (a *app) top() *cobra.Command {
	var f operatorFlags
	var out topOutput
	cmd := &cobra.Command{
		Use:   "top",
		Short: "Watch an outbox live: what waits, rates, latency, what is down",
		Long: `Shows the state of an outbox as a live screen, read every 2 s: how many events
wait and for how long, how many come in and go out per second, failed attempts, the
latency from commit to delivery, dead letters, open alerts, destinations that are
down, event types, and which instances run. Rates are those of the last seconds; they
are known once the relays have announced themselves again, after 5 s or so.

q quits, p pauses the refresh, s sorts the event types by urgency, what waits,
rate, dead letters or name.

Without a terminal, or with -o text, it measures for some seconds and prints the
screen once as text.`,
		Example: `  outbox top --database postgres://user:password@localhost:5432/shop
  outbox top --api https://outbox.example:9464 --token-file ~/.outbox-token
  outbox top -o text | mail -s outbox ops@example.com`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if out == topLive && !a.onTerminal() {
				return usagef("-o live needs a terminal: use -o text, or outbox status -o json for programs")
			}
			return f.with(cmd.Context(), func(ctx context.Context, db operator) error {
				if out == topText || !a.onTerminal() {
					return top.Plain(ctx, db, a.stdout, db.Name(ctx))
				}
				return top.Live(ctx, db, a.stdin, a.stdout, db.Name(ctx))
			})
		},
	}
	f.add(cmd)
	cmd.Flags().VarP(&out, "output", "o", "live: a screen, or text: once (default live on a terminal, text otherwise)")
	values(cmd, "output", string(topLive), string(topText))
	return cmd
}
