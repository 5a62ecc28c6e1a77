package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := start(ctx, os.Args[1:])
	switch {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "bench:", err)
		stop()
		os.Exit(1)
	}
}

// start runs the benchmark, or the part of it that another process of this
// program asked for.
func start(ctx context.Context, args []string) error {
	if len(args) > 0 && args[0] == workerCommand {
		return work(ctx, args[1:])
	}
	o, err := parseOptions(args)
	if err != nil {
		return err
	}
	if o.list {
		list(os.Stdout, o)
		return nil
	}
	return measure(ctx, o)
}

// measure runs what was asked for and reports it.
func measure(ctx context.Context, o *options) (err error) {
	e, closeEnv, err := newEnv(ctx, o)
	if err != nil {
		return err
	}
	defer closeEnv()
	m, err := lookAround(ctx, e)
	if err != nil {
		return err
	}
	profiles, err := startProfiles(o)
	if err != nil {
		return err
	}
	rep := &report{Machine: m, Runs: o.runs, Scale: o.scale}
	rep.header(os.Stdout)
	runErr := runAll(ctx, e, o, rep)
	rep.print(os.Stdout)
	return errors.Join(runErr, profiles(), rep.show(o))
}
