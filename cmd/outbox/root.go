package main

import (
	"io"

	"github.com/spf13/cobra"
)

// app is one call of the program.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer

	started bool // a command was found and its flags were understood
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "outbox",
		Short: "A transactional outbox: an event exists if and only if its transaction committed",
		Long: `outbox runs, demonstrates, measures and sets up a transactional outbox. An
application writes each event in the transaction of the change that caused it,
and a relay then delivers the event at least once. Times that it prints are UTC, and
so are those that it reads, unless they name a zone.

` + exitCodes + `
Start with "outbox demo", which needs nothing but this program.`,
		Version:       readBuild().String(), // adds --version
		SilenceErrors: true,
		SilenceUsage:  true,
		PersistentPreRun: func(*cobra.Command, []string) {
			a.started = true
		},
	}
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetFlagErrorFunc(flagError)
	root.CompletionOptions.SetDefaultShellCompDirective(cobra.ShellCompDirectiveNoFileComp)
	root.AddCommand(a.demo(), a.bench(), a.relay(), a.config(), a.migrate(), a.status(), a.top(), a.check(), a.doctor(), a.dlq(), a.events(), a.pause(), a.resume(), a.replay(), a.erase(), a.jobs(), a.audit(), a.alerts(), a.version(), a.man(), helpExitCodes())
	filterOnce(root)
	return root
}
