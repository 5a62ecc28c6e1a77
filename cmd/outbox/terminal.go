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
