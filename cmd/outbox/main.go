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

// command is run on the process's own streams and signals. The first Ctrl-C
// asks for a clean shutdown; a second one ends the process at once.
func command() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	return run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
}

// run is the whole program. It returns the exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	app := &app{stdin: stdin, stdout: stdout, stderr: stderr}
	root := app.root()
	root.SetArgs(args)
	return app.exit(ctx, root.ExecuteContext(ctx))
}
