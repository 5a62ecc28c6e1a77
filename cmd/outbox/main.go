// Command outbox runs, demonstrates, measures and sets up a transactional outbox.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
)

func main() { os.Exit(command()) }

// command is run on the process's own streams and signals.
func command() int {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	signals := make(chan os.Signal, 2) // they may come faster than they are read
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go interrupts(signals, cancel)
	return run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
}

// interrupts asks for a clean shutdown at the first signal, and ends the process
// at the second.
func interrupts(signals <-chan os.Signal, shutdown context.CancelFunc) {
	<-signals
	shutdown()
	code := 1
	if s, ok := (<-signals).(syscall.Signal); ok {
		code = 128 + int(s)
	}
	os.Exit(code)
}

// run is the whole program. It returns the exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	app := &app{stdin: stdin, stdout: stdout, stderr: stderr}
	root := app.root()
	root.SetArgs(args)
	return app.exit(ctx, root.ExecuteContext(ctx))
}
