package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/cmd/internal/demo"
)

type demoFlags struct {
	databaseFlags
	out  output
	rate float64
	time time.Duration
	keep bool

	console string
}

func (a *app) demo() *cobra.Command {
	var f demoFlags
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Watch an outbox at work, on an embedded database",
		Long: `A small shop takes orders at a steady rate. Each order is placed, paid and shipped
in three transactions, and each transaction changes the order and writes its events.
A relay in the same process delivers the events right after the commit. OrderPaid
fails now and then and is retried; some OrderShipped and MailRequested fail
permanently, or until they have no attempts left, and become dead letters;
InvoiceRequested waits while its destination is down, for 12 s of every minute; some
payments are rolled back, and nobody must ever see their events. A consumer group
takes each order once.

The demo serves the console at --console, without a login and only to this
machine: look at events, correct and retry dead letters, pause, replay. The
REST API is there too: outbox top --api http://` + demo.DefaultConsole + `. Somebody
called oncall has looked at the dead letters of one kind before you.

On a terminal the demo shows a live view and runs until q or Ctrl-C; otherwise
it prints a line a second and runs for 10 s. --for sets another duration.

At the end it waits for the last retries and prints a summary: how many events were
written, delivered, retried and dead, and the latency from COMMIT to the listener.
It compares what was received with what was committed; if an event was lost or
duplicated, the exit code is 1. It counts separately what you deleted or had
delivered again in the console.

Without --database it uses SQLite in a temporary folder. With --database it creates
tables of its own, touches no others, and drops them at the end.`,
		Example: `  outbox demo
  outbox demo --rate 200 --for 5s -o json
  outbox demo --database postgres://user:password@localhost:5432/shop`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("for") && f.time <= 0 {
				return usagef("--for is %s: must be positive, for example 5s", f.time)
			}
			return a.runDemo(cmd.Context(), f)
		},
	}
	f.add(cmd, " (default a SQLite file in a temporary folder)")
	f.out.add(cmd)
	cmd.Flags().Float64Var(&f.rate, "rate", 25, "`orders` per second")
	cmd.Flags().DurationVar(&f.time, "for", 0, "how long to place orders, for example 30s (default until q or Ctrl-C on a terminal, 10s otherwise)")
	cmd.Flags().StringVar(&f.console, "console", demo.DefaultConsole, "`address` of the console, or another port if this one is taken; none for no console")
	cmd.Flags().BoolVar(&f.keep, "keep", false, "keep the tables, or the temporary file, afterwards")
	return cmd
}

func (a *app) runDemo(ctx context.Context, f demoFlags) (err error) {
	if f.rate <= 0 || f.rate > 100_000 {
		return usagef("--rate is %v: must be between 0.1 and 100000 orders per second", f.rate)
	}
	live := f.out == text && a.onTerminal()
	cfg := demo.Config{Rate: f.rate, For: f.time, Keep: f.keep, Version: readBuild().Version}
	if cfg.For == 0 && !live {
		cfg.For = 10 * time.Second
	}
	place, err := a.openDemo(ctx, &f, &cfg)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, place.close()) }()
	if f.console != "" && f.console != "none" {
		if cfg.Console, err = demo.Listen(f.console); err != nil {
			return usagef("--console: %v", err)
		}
	}

	progress := a.stdout
	if f.out == asJSON {
		progress = a.stderr
	}
	fmt.Fprintf(progress, "%g orders per second; each step of an order is a transaction that also writes an event.\n", f.rate)
	fmt.Fprintln(progress, place.name)
	d := demo.New(place.db, cfg)
	if d.ConsoleURL() != "" {
		fmt.Fprintf(progress, "Console: %s\n", d.ConsoleURL())
	}
	var sum demo.Summary
	if live {
		sum, err = demo.Live(ctx, d, a.stdin, a.stdout, place.name)
	} else {
		sum, err = demo.Plain(ctx, d, progress)
	}
	return a.demoResult(ctx, f, cfg, place, sum, err)
}

// demoResult prints the summary, also beside an error.
func (a *app) demoResult(ctx context.Context, f demoFlags, cfg demo.Config, place *demoPlace, sum demo.Summary, err error) error {
	if sum == (demo.Summary{}) { // it never began
		return err
	}
	if f.keep {
		fmt.Fprintf(a.stderr, "Kept: %s\n", place.name)
	}
	if f.out == asJSON {
		err = errors.Join(err, a.printJSON(sum))
	} else {
		demo.Print(a.stdout, sum)
	}
	switch {
	case err != nil:
		return err
	case !sum.Sound():
		return errors.New("events were lost, duplicated or delivered without a commit: please report this with the summary above")
	case sum.Waiting > 0 && sum.Abandoned:
		return errInterrupted
	case sum.Waiting > 0 && !sum.Paused:
		return fmt.Errorf("%d events were not delivered in time and are still in the table", sum.Waiting)
	case ctx.Err() != nil && cfg.For > 0: // without a time, Ctrl-C is the end that was asked for
		return errInterrupted
	}
	return nil
}

// demoPlace is where a demo takes place.
type demoPlace struct {
	db    *dburl.Handle
	name  string
	close func() error
}

// openDemo opens the database that was asked for, with tables of the demo's
// own, or makes one.
func (a *app) openDemo(ctx context.Context, f *demoFlags, cfg *demo.Config) (*demoPlace, error) {
	if f.address() == "" {
		return openTemporary(ctx, f.keep)
	}
	scratch := dburl.NewScratch("outbox_demo", f.schema)
	db, err := f.open(ctx, dburl.Options{Tables: scratch.Tables, Create: true})
	if err != nil {
		return nil, err
	}
	cfg.Orders, cfg.Events = db.Table(scratch.Name("orders")), db.Table(scratch.Tables.Event)
	return &demoPlace{
		db:   db,
		name: fmt.Sprintf("%s, tables %s", db.Name(ctx), scratch.Name("*")),
		close: func() error {
			var err error
			if !f.keep {
				err = db.DropOutbox(context.WithoutCancel(ctx))
			}
			return errors.Join(err, db.Close())
		},
	}, nil
}

func openTemporary(ctx context.Context, keep bool) (*demoPlace, error) {
	dir, err := os.MkdirTemp("", "outbox-demo-")
	if err != nil {
		return nil, err
	}
	file := filepath.Join(dir, "shop.db")
	db, err := dburl.Open(ctx, drivers, "sqlite://"+filepath.ToSlash(file), dburl.Options{Create: true})
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return &demoPlace{
		db:   db,
		name: fmt.Sprintf("%s, file %s", db.Name(ctx), file),
		close: func() error {
			err := db.Close()
			if !keep {
				err = errors.Join(err, os.RemoveAll(dir))
			}
			return err
		},
	}, nil
}
