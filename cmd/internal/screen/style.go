package screen

import "charm.land/lipgloss/v2"

// The colours are the terminal's own sixteen, which fit its background.
var (
	Title   = lipgloss.NewStyle().Bold(true)
	Faint   = lipgloss.NewStyle().Faint(true)
	Good    = lipgloss.NewStyle().Foreground(lipgloss.Green)
	Warning = lipgloss.NewStyle().Foreground(lipgloss.Yellow)
	Bad     = lipgloss.NewStyle().Foreground(lipgloss.Red)
	Accent  = lipgloss.NewStyle().Foreground(lipgloss.Cyan)
)
