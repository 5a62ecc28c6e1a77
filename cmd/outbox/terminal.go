package main

import (
	"os"

	"github.com/charmbracelet/x/term"
)

// onTerminal reports whether a person watches and can press keys, on a terminal
// that can be drawn on.
func (a *app) onTerminal() bool {
	return isTerminal(a.stdout) && isTerminal(a.stdin) && os.Getenv("TERM") != "dumb"
}

func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(f.Fd())
}

// A color is how a terminal is told to use it.
type color string

const (
	green  color = "\x1b[32m"
	yellow color = "\x1b[33m"
	red    color = "\x1b[31m"
	faint  color = "\x1b[2m"
)

// colored reports whether standard output is a terminal with colors whose user
// has not asked for none; see https://no-color.org.
func (a *app) colored() bool {
	return isTerminal(a.stdout) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// paint colors a text, if on.
func paint(on bool, c color, text string) string {
	if !on || c == "" {
		return text
	}
	return string(c) + text + "\x1b[0m"
}
