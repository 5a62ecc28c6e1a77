package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sendoff-go/outbox/internal/nearest"
)

// flagError says which flag was probably meant, and where to read more.
func flagError(cmd *cobra.Command, err error) error {
	more := fmt.Sprintf("see `%s --help`", cmd.CommandPath())
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		if slices.Contains(apiFlags, unknown.GetSpecifiedName()) && cmd.Flags().Lookup("database") != nil {
			return fmt.Errorf("%w: this command needs the database itself: pass --database", err)
		}
		if near := nearestFlag(cmd, unknown.GetSpecifiedName()); near != "" {
			more = fmt.Sprintf("did you mean --%s?", near)
		}
	}
	return fmt.Errorf("%w: %s", err, more)
}

// nearestFlag is the flag with the fewest letters to change, if those are few.
func nearestFlag(cmd *cobra.Command, name string) string {
	var all []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { all = append(all, f.Name) })
	return nearest.To(name, 2, all)
}

func exampleURLs() string {
	var all []string
	for _, d := range drivers {
		if len(all) == 0 || all[len(all)-1] != d.Example {
			all = append(all, d.Example)
		}
	}
	return strings.Join(all, ", ")
}
