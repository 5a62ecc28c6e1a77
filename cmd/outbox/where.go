package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sendoff-go/outbox/internal/nearest"
)

// whereFlag is the general form of the flags that choose rows: --where type=x is
// --type x.
type whereFlag []string

func (w *whereFlag) add(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar((*[]string)(w), "where", nil, "`field=value`, the same as --field value for a flag that filters; may be repeated")
	completeFlag(cmd, "where", w.complete)
}

// set sets the flags that are meant.
func (w *whereFlag) set(flags *pflag.FlagSet) error {
	known := fields(flags)
	for i, one := range *w {
		field, value, ok := strings.Cut(one, "=")
		switch {
		case !ok:
			return usagef("--where is %q: write field=value, with one of the fields %s", one, strings.Join(known, ", "))
		case !slices.Contains(known, field):
			meant := ""
			if near := nearest.To(field, min((len(field)-1)/2, 2), known); near != "" {
				meant = fmt.Sprintf("did you mean %s? ", near)
			}
			return usagef("--where is %q: %sthe fields are %s", one, meant, strings.Join(known, ", "))
		case value == "":
			return usagef("--where is %q: give %s a value, or leave it out", one, field)
		case slices.ContainsFunc((*w)[:i], func(other string) bool { return strings.HasPrefix(other, field+"=") }):
			return usagef("--where has %s twice: give it once", field)
		case flags.Changed(field):
			return usagef("--where and --%s both give %s: pass one of them", field, field)
		}
		if err := flags.Set(field, value); err != nil {
			return usagef("--where is %q: %v", one, err)
		}
	}
	return nil
}

// fields are what a command can filter by.
func fields(flags *pflag.FlagSet) (all []string) {
	flags.VisitAll(func(f *pflag.Flag) {
		if _, filter := isFilter(flags, f.Name); filter {
			all = append(all, f.Name)
		}
	})
	return all
}

// complete completes fields that are not given yet, and values as their flags do.
func (w *whereFlag) complete(cmd *cobra.Command, given []string, begin string) (out []cobra.Completion, _ cobra.ShellCompDirective) {
	field, value, ok := strings.Cut(begin, "=")
	if !ok {
		for _, f := range fields(cmd.Flags()) {
			twice := slices.ContainsFunc(*w, func(one string) bool { return strings.HasPrefix(one, f+"=") })
			if strings.HasPrefix(f, begin) && !twice && !cmd.Flags().Changed(f) {
				out = append(out, cobra.CompletionWithDesc(f+"=", firstLine(cmd.Flags().Lookup(f).Usage, 80)))
			}
		}
		return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
	values, known := cmd.GetFlagCompletionFunc(field)
	if !known || !slices.Contains(fields(cmd.Flags()), field) {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	all, directive := values(cmd, given, value)
	for _, one := range all {
		if strings.HasPrefix(one, value) {
			out = append(out, field+"="+one)
		}
	}
	return out, directive
}
