package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/sendoff-go/outbox/cmd/internal/bench"
	"github.com/sendoff-go/outbox/cmd/internal/dburl"
)

type benchFlags struct {
	databaseFlags
	out output
	bench.Config
	path     string
	mustPace bool // there is nothing to measure without a rate
}

func (a *app) bench() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure an outbox on your database",
		Long: `Measures an outbox on a database. It creates tables of its own, touches no others,
and drops them at the end.

Everything is counted at the listener: "lost" events were committed but neither
arrived nor wait, "duplicates" arrived twice. If there are any, or if rows are left
over, the exit code is 1.`,
		Example: `  outbox bench drain --database postgres://user:password@localhost:5432/shop --events 200000
  outbox bench latency --database sqlite://bench.db --rate 300 -o json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.benchDrain(), a.benchLatency(), a.benchWrite())
	return cmd
}

func (a *app) benchDrain() *cobra.Command {
	f := &benchFlags{Config: bench.Config{Events: 50_000, Payload: 200}}
	cmd := a.benchmark(f, "drain", "How fast a backlog is delivered", bench.Drain)
	cmd.Long = `Writes a backlog of events, then measures how long the relay takes to deliver all of
them to a listener that does nothing, and to settle them. Latencies count from the
start of the relay.`
	cmd.Flags().IntVar(&f.Relays, "relays", 1, "number of relays in this process")
	cmd.Flags().Float64Var(&f.Rate, "rate", 0, "ignored here, so that the same flags fit all three benchmarks")
	return cmd
}

func (a *app) benchLatency() *cobra.Command {
	f := &benchFlags{Config: bench.Config{Events: 3_000, Payload: 200, Rate: 300, Writers: 8}, path: "hot"}
	cmd := a.benchmark(f, "latency", "How soon an event arrives after its commit", bench.Latency)
	cmd.Long = `Commits transactions, each with an order and an event, at a steady rate, and
measures the time from the answer to COMMIT to the call of the listener.`
	f.mustPace = true
	cmd.Flags().Float64Var(&f.Rate, "rate", f.Rate, "`transactions` per second")
	cmd.Flags().IntVar(&f.Writers, "writers", f.Writers, "concurrent transactions")
	cmd.Flags().StringVar(&f.path, "path", f.path, "delivery `path`: hot, from memory right after the commit, or woken, through a NOTIFY as if another process wrote (PostgreSQL with pgx)")
	return cmd
}

func (a *app) benchWrite() *cobra.Command {
	f := &benchFlags{Config: bench.Config{Events: 20_000, Payload: 200, Writers: 8}}
	cmd := a.benchmark(f, "write", "How many transactions with an event are completed per second", bench.Write)
	cmd.Long = `Commits transactions, each with an order and an event, from several writers, as fast
as they can or at --rate, until every event is delivered and settled.`
	cmd.Flags().Float64Var(&f.Rate, "rate", 0, "`transactions` per second (default as many as the writers can)")
	cmd.Flags().IntVar(&f.Writers, "writers", f.Writers, "concurrent transactions")
	return cmd
}

// benchmark has what all of them share.
func (a *app) benchmark(f *benchFlags, name, short string, measure func(context.Context, *dburl.Handle, bench.Config) (bench.Result, error)) *cobra.Command {
	cmd := &cobra.Command{
		Use:   name,
		Short: short,
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.runBench(cmd.Context(), name, f, measure)
		},
	}
	f.add(cmd, "")
	f.out.add(cmd)
	flags := cmd.Flags()
	flags.IntVar(&f.Events, "events", f.Events, "number of events")
	flags.IntVar(&f.Payload, "payload", f.Payload, "payload size in `bytes`")
	flags.IntVar(&f.Workers, "workers", 0, "workers of the relay (default 4)")
	flags.IntVar(&f.Queue, "queue", 0, "events that the relay holds in memory (default 1000)")
	flags.IntVar(&f.Batch, "batch", 0, "rows per claim, which grows under load (default 50)")
	flags.BoolVar(&f.DeleteDone, "delete-done", false, "delete rows on delivery instead of keeping them")
	return cmd
}

func (f *benchFlags) check() error {
	switch {
	case f.Events < 1 || f.Events > 100_000_000:
		return usagef("--events is %d: must be between 1 and 100000000", f.Events)
	case f.Payload < bench.MinPayload || f.Payload > bench.MaxPayload:
		return usagef("--payload is %d: must be between %d and %d bytes", f.Payload, bench.MinPayload, bench.MaxPayload)
	case f.Rate < 0 || f.Rate > 1_000_000 || (f.mustPace && f.Rate == 0):
		return usagef("--rate is %v: must be positive and at most 1000000 transactions per second", f.Rate)
	case f.Writers < 0 || f.Writers > 1000 || f.Relays < 0 || f.Relays > 100:
		return usagef("--writers must be between 0 and 1000, and --relays between 0 and 100")
	case f.Workers < 0 || f.Queue < 0 || f.Batch < 0:
		return usagef("--workers, --queue and --batch must not be negative")
	case f.path != "" && f.path != "hot" && f.path != "woken":
		return usagef("--path is %q: must be hot or woken", f.path)
	}
	return nil
}

func (a *app) runBench(ctx context.Context, name string, f *benchFlags, measure func(context.Context, *dburl.Handle, bench.Config) (bench.Result, error)) (err error) {
	if err := f.check(); err != nil {
		return err
	}
	scratch := dburl.NewScratch("outbox_bench", f.schema)
	// Beside the writers: the relays' statements, and room to spare.
	db, err := f.open(ctx, dburl.Options{Tables: scratch.Tables, Create: true, Conns: f.Writers + 4*max(f.Relays, 1)})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	cfg := f.Config
	cfg.Orders, cfg.Event = db.Table(scratch.Name("orders")), db.Table(scratch.Tables.Event)
	cfg.Progress = func(format string, args ...any) { fmt.Fprintf(a.stderr, format+"\n", args...) }
	if cfg.Woken = f.path == "woken"; cfg.Woken && db.Waker == nil {
		return usagef("--path woken needs PostgreSQL with the pgx driver")
	}
	fmt.Fprintf(a.stderr, "%s on %s (driver %s), tables %s\n", name, db.Name(ctx), db.Driver(), scratch.Name("*"))
	res, err := measure(ctx, db, cfg)
	switch {
	case err != nil && res == (bench.Result{}): // it never began
		return err
	case f.out == asJSON:
		err = errors.Join(err, a.printJSON(res))
	default:
		bench.Print(a.stdout, res)
	}
	switch {
	case err == nil && ctx.Err() != nil:
		return errInterrupted
	case err == nil && !res.Sound():
		return errors.New("events were lost, duplicated or left over: please report this with the result above")
	}
	return err
}
