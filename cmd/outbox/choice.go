package main

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// filters are the flags that choose rows, of whatever command, with how many
// characters the REST API takes; 0 is any number.
var filters = map[string]int{
	"type": 128, "error": 4000, "group": 36, "destination": 255, "payload": 1000, "tenant": 64, "key": 128,
	"status": 0, "after": 0, "before": 0, "job": 36, "action": 0, "state": 0, "rule": 32, "reason": 4000,
}

// isFilter reports whether a flag chooses rows, and how long it may be.
func isFilter(flags *pflag.FlagSet, name string) (most int, filter bool) {
	if name == "by" { // beside a note, it says who does something
		return 255, flags.Lookup("note") == nil
	}
	most, filter = filters[name]
	return most, filter
}

// oneOf refuses a value that a flag does not take; "" is none.
func oneOf(flag, value string, all []string) error {
	if value == "" || slices.Contains(all, value) {
		return nil
	}
	last := len(all) - 1
	return usagef("--%s is %q: use %s or %s", flag, value, strings.Join(all[:last], ", "), all[last])
}

// checkFilters makes a command refuse a filter that is given without a value: to
// ignore it would widen the choice to what a variable in a script did not name. It
// also refuses one that is given twice or is too long to match anything, and gives the
// command --where.
func checkFilters(cmd *cobra.Command) {
	var where whereFlag
	where.add(cmd)
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) (err error) {
		if err := where.set(cmd.Flags()); err != nil {
			return err
		}
		cmd.Flags().Visit(func(f *pflag.Flag) {
			most, filter := isFilter(cmd.Flags(), f.Name)
			n := utf8.RuneCountInString(f.Value.String())
			given, counts := f.Value.(*once)
			switch {
			case err != nil || !filter:
			case counts && given.times > 1:
				err = usagef("--%s is given %d times: give it once", f.Name, given.times)
			case n == 0:
				err = usagef("--%s is empty: give it a value, or leave it out", f.Name)
			case most > 0 && n > most:
				err = usagef("--%s has %d characters: give it at most %d", f.Name, n, most)
			}
		})
		return err
	}
}

// checkText refuses arguments that are not text: no row can have them, and a
// database may not even compare with them. What names a file may be anything, and
// stores repair who did something and why.
func checkText(flags *pflag.FlagSet) (err error) {
	for _, arg := range flags.Args() {
		if !utf8.ValidString(arg) {
			return usagef("%q is not UTF-8: correct it", arg)
		}
	}
	flags.Visit(func(f *pflag.Flag) {
		_, filter := isFilter(flags, f.Name)
		file := f.Name == "payload" && flags.Lookup("bytes") != nil
		if (filter && !file || f.Name == "header" || f.Name == "id") && !utf8.ValidString(f.Value.String()) {
			err = usagef("--%s is not UTF-8: correct it", f.Name)
		}
	})
	return err
}
