package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	near "github.com/sendoff-go/outbox/internal/nearest"
)

// Place is where a setting comes from.
type Place struct {
	Source string // a file, or a variable of the environment
	Line   int    // from 1; 0: the whole source
	Column int
}

// String is source:line:column.
func (p Place) String() string {
	if p.Line == 0 {
		return p.Source
	}
	return fmt.Sprintf("%s:%d:%d", p.Source, p.Line, p.Column)
}

// Problem is one thing that is wrong.
type Problem struct {
	Place
	Text string // what, and what would be right
	path []string
}

// Error implements error.
func (p Problem) Error() string { return p.String() + ": " + p.Text }

// Problems is everything that is wrong, in the order of the file.
type Problems []Problem

// Error implements error; each problem has a line of its own.
func (ps Problems) Error() string {
	var lines []string
	for _, p := range ps {
		lines = append(lines, p.Error())
	}
	return strings.Join(lines, "\n")
}

// Sort brings them into the order of the file.
func (ps Problems) Sort() {
	slices.SortStableFunc(ps, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Source, b.Source), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}

// within reports whether one of them is about the table of that path: a key
// that seems to be missing there may just be misspelt.
func (ps Problems) within(path []string) bool {
	return slices.ContainsFunc(ps, func(p Problem) bool {
		return len(p.path) >= len(path) && slices.Equal(p.path[:len(path)], path)
	})
}

// nearest is the name that was meant, if few letters are wrong, or "".
func nearest(name string, names []string) string {
	return near.To(name, min(len(name)/2, 3), names)
}
