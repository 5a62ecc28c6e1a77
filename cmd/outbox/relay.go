package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"

	"github.com/spf13/cobra"

	"github.com/sendoff-go/outbox/cmd/internal/daemon"
	"github.com/sendoff-go/outbox/cmd/internal/daemon/config"
	"github.com/sendoff-go/outbox/relay"
)

type relayFlags struct {
	file string
	once bool
	out  output
}

func (a *app) relay() *cobra.Command {
	var f relayFlags
	cmd := &cobra.Command{
		Use:   "relay",
		Short: "Deliver events from the table to brokers: the daemon",
		Long: `Sends the events that any program INSERTs into the outbox table to Kafka, RabbitMQ,
NATS, Redis, Hazelcast or webhooks. A YAML file and the environment configure it; "outbox
config example" prints a file with every key.

It waits for a database or a broker that is down. On SIGTERM or Ctrl-C it finishes
the sends in progress, within drain-timeout; a second signal ends it at once. Any
number of relays can share one database.

The exit code is 0 after a clean shutdown, 1 if a send outlived drain-timeout, 2 if
the configuration is invalid, 5 if the database rejects the login. With --once it is
0 if every due event was delivered, 1 if not, 3 if the database does not answer, 4 if
its tables are missing.`,
		Example: `  outbox relay --config outbox.yaml
  outbox relay --once -o json
  OUTBOX_DATABASE_URL=postgres://user:password@db/shop outbox relay`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.runRelay(cmd.Context(), f) },
	}
	flags := cmd.Flags()
	flags.StringVarP(&f.file, "config", "c", "", "configuration `file`; also "+configVariable+" (default "+defaultConfig+" if it exists, otherwise the environment alone)")
	completeFlag(cmd, "config", files)
	flags.BoolVar(&f.once, "once", false, "deliver the events that are due now, then exit")
	f.out.add(cmd)
	return cmd
}

func (a *app) runRelay(ctx context.Context, f relayFlags) error {
	file := configFile([]string{f.file})
	c, notes, err := a.loadConfig(file)
	if err != nil {
		return err
	}
	log := logger(a.stderr, c.Log)
	for _, n := range notes {
		log.Warn("outbox: configuration: " + n)
	}
	d, err := daemon.New(c, daemon.Options{Drivers: drivers, Logger: log, Version: readBuild().Version})
	if err != nil {
		return a.problems(file, err)
	}
	if !f.once {
		return d.Run(ctx)
	}
	rep, err := d.Once(ctx)
	if err != nil {
		return err
	}
	return a.onceResult(f.out, rep)
}

// onceResult tells what a round did.
func (a *app) onceResult(out output, rep relay.Report) error {
	if out == asJSON {
		err := a.printJSON(struct {
			Delivered int `json:"delivered"`
			Retried   int `json:"retried"`
			Dead      int `json:"dead"`
			Released  int `json:"released"`
		}{rep.Delivered, rep.Retried, rep.Dead, rep.Released})
		if err != nil {
			return err
		}
	} else {
		fmt.Fprintf(a.stdout, "%d delivered, %d to retry, %d dead, %d released\n", rep.Delivered, rep.Retried, rep.Dead, rep.Released)
	}
	if n := rep.Retried + rep.Dead + rep.Released; n > 0 {
		return fmt.Errorf("%d events were not delivered: see the log, and last_error in the tables", n)
	}
	return nil
}

func logger(w io.Writer, c config.Log) *slog.Logger {
	var level slog.Level
	_ = level.UnmarshalText([]byte(c.Level)) // one of the four, by the configuration
	opts := &slog.HandlerOptions{Level: level}
	if c.Format == "json" {
		return slog.New(slog.NewJSONHandler(w, opts))
	}
	return slog.New(slog.NewTextHandler(w, opts))
}
