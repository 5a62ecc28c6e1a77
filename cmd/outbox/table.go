package main

import (
	"fmt"
	"math"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/cmd/internal/screen"
)

// printTable prints rows in columns, below a heading unless that is "".
func (a *app) printTable(heading string, rows [][]string) error {
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	if heading != "" {
		fmt.Fprintln(w, strings.ReplaceAll(heading, " ", "\t"))
	}
	for _, r := range rows {
		cells := make([]string, len(r))
		for i, cell := range r {
			cells[i] = printable(cell)
		}
		fmt.Fprintln(w, strings.Join(cells, "\t"))
	}
	return w.Flush()
}

// counted is a number that may have been counted only up to a bound.
func counted(c admin.Count) string {
	if c.More {
		return fmt.Sprintf("%d+", c.N)
	}
	return fmt.Sprint(c.N)
}

// clock is a time as people read it.
func clock(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.UTC().Format("2006-01-02 15:04:05")
}

// clockOf is clock of a time that may not be there.
func clockOf(t *time.Time) string {
	if t == nil {
		return "-"
	}
	return clock(*t)
}

// seconds is a time span as it goes over the wire.
func seconds(s float64) time.Duration {
	return time.Duration(math.Round(s * float64(time.Second)))
}

// span is a time span without digits that nobody reads.
func span(d time.Duration) string {
	switch {
	case d <= 0:
		return "-"
	case d < time.Second:
		return d.Round(time.Millisecond).String()
	case d < time.Hour:
		return d.Round(time.Second).String()
	}
	return fmt.Sprintf("%dh%02dm", d/time.Hour, d%time.Hour/time.Minute)
}

// firstLine is a text's first line, cut to fit into a table.
func firstLine(s string, width int) string {
	s, _, _ = strings.Cut(s, "\n")
	if r := []rune(s); len(r) > width {
		return string(r[:width-1]) + "…"
	}
	return s
}

// printable shows what others have stored without letting it steer the terminal
// or look like another row.
func printable(s string) string { return screen.Printable(s) }

// numbered is a number of things, whose plural ends in s.
func numbered[N int | int64](n N, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}
