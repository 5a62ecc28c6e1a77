package main

import "os"

// A colour is how a terminal is told to use it.
type colour string

const (
	green  colour = "\x1b[32m"
	yellow colour = "\x1b[33m"
	red    colour = "\x1b[31m"
	faint  colour = "\x1b[2m"
)

// coloured reports whether standard output is a terminal with colours whose user
// has not asked for none; see https://no-color.org.
func (a *app) coloured() bool {
	return isTerminal(a.stdout) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// paint colours a text, if on.
func paint(on bool, c colour, text string) string {
	if !on || c == "" {
		return text
	}
	return string(c) + text + "\x1b[0m"
}
