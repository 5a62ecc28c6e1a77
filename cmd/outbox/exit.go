package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/cmd/internal/dburl"
)

// The exit codes. They are part of the command line's contract.
const (
	exitOK          = 0
	exitFailure     = 1
	exitUsage       = 2
	exitUnavailable = 3
	exitSchema      = 4
	exitRefused     = 5
	exitFound       = 6 // of outbox doctor
	exitWarned      = 7 // of outbox doctor
	exitUnknown     = 3 // of outbox check
	exitInterrupted = 130
)

const exitCodes = `Exit codes:
  0    done
  1    failed, or the demo or a benchmark lost or duplicated an event
  2    invalid command, flag, configuration or URL; nothing was done
  3    the database or the API does not answer, or the database does not exist
  4    the outbox tables are missing or at another version
  5    the database or the API rejected the login, or the user lacks a privilege
  6    outbox doctor found a failure
  7    outbox doctor found warnings, and no failure
  130  interrupted by Ctrl-C or SIGTERM, after a clean shutdown
`

// errInterrupted ends a command whose user asked for it.
var errInterrupted = errors.New("interrupted")

// exit reports the error in one line, and returns its exit code.
func (a *app) exit(ctx context.Context, err error) int {
	if err == nil {
		return exitOK
	}
	if errors.Is(err, errInterrupted) || (ctx.Err() != nil && errors.Is(err, context.Canceled)) {
		fmt.Fprintln(a.stderr, "outbox: interrupted")
		return exitInterrupted
	}
	var v verdict
	if errors.As(err, &v) {
		return int(v) // and the line is on standard output
	}
	var found findings
	if errors.As(err, &found) {
		return int(found)
	}
	text := strings.TrimPrefix(strings.Join(strings.Fields(err.Error()), " "), "outbox: ")
	fmt.Fprintln(a.stderr, "outbox: "+text)
	var u unknownState
	switch {
	case errors.As(err, &u):
		a.printUnknown(u, text)
		return exitUnknown
	case !a.started:
		return exitUsage
	}
	return codeOf(err)
}

func codeOf(err error) int {
	var p *dburl.Problem
	if errors.As(err, &p) {
		switch p.Kind {
		case dburl.Usage:
			return exitUsage
		case dburl.Down:
			return exitUnavailable
		case dburl.Schema:
			return exitSchema
		case dburl.Refused:
			return exitRefused
		case dburl.Other:
		}
	}
	if errors.As(err, new(usageError)) || errors.Is(err, outbox.ErrInvalidEvent) {
		return exitUsage
	}
	return exitFailure
}

// usageError is a wrong argument that only the command itself can tell.
type usageError string

func (e usageError) Error() string { return string(e) }

func usagef(format string, args ...any) error { return usageError(fmt.Sprintf(format, args...)) }

// helpExitCodes is a help topic: a command without anything to run.
func helpExitCodes() *cobra.Command {
	return &cobra.Command{
		Use:   "exit-codes",
		Short: "What the exit codes mean",
		Long:  exitCodes,
	}
}
