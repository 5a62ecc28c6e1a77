package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// flagError says which flag was probably meant, and where to read more.
func flagError(cmd *cobra.Command, err error) error {
	more := fmt.Sprintf("see `%s --help`", cmd.CommandPath())
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		if slices.Contains(apiFlags, unknown.GetSpecifiedName()) && cmd.Flags().Lookup("database") != nil {
			return fmt.Errorf("%w: this command needs the database itself: pass --database", err)
		}
		if near := nearest(cmd, unknown.GetSpecifiedName()); near != "" {
			more = fmt.Sprintf("did you mean --%s?", near)
		}
	}
	return fmt.Errorf("%w: %s", err, more)
}

// nearest is the flag with the fewest letters to change, if those are few.
func nearest(cmd *cobra.Command, name string) string {
	best, least := "", 3
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if d := distance(name, f.Name); d < least {
			best, least = f.Name, d
		}
	})
	return best
}

// distance is the number of letters to insert, delete or change.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
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
