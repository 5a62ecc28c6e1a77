package main

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// once is a flag that may be given once, which [checkFilters] sees to. Of --type a
// --type b, the last would win, and a deletion would leave out what was named first.
type once struct {
	pflag.Value
	times int
}

func (o *once) Set(text string) error {
	o.times++
	return o.Value.Set(text)
}

// filterOnce makes the filters of a command and those below it count their values.
func filterOnce(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.VisitAll(func(f *pflag.Flag) {
		if _, filter := isFilter(flags, f.Name); filter {
			f.Value = &once{Value: f.Value}
		}
	})
	for _, below := range cmd.Commands() {
		filterOnce(below)
	}
}
