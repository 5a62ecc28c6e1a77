package main

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// filters are the flags that choose rows, of whatever command.
var filters = []string{"type", "error", "group", "destination", "payload", "tenant", "key", "status", "after", "before"}

// refuseEmpty makes a command refuse a filter that is given without a value: to
// ignore it would widen the choice to what a variable in a script did not name.
func refuseEmpty(cmd *cobra.Command) {
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) (err error) {
		cmd.Flags().Visit(func(f *pflag.Flag) {
			if err == nil && f.Value.String() == "" && slices.Contains(filters, f.Name) {
				err = usagef("--%s is empty: give it a value, or leave it out", f.Name)
			}
		})
		return err
	}
}
