package top

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"

	"github.com/sendoff-go/outbox/admin/rates"
	"github.com/sendoff-go/outbox/cmd/internal/screen"
)

// columns stand right of the event type. Those of a higher rank are left out first
// where there is no room.
var columns = []struct {
	name  string
	width int
	rank  int
	value func(t rates.TypeRates) string
}{
	{"waiting", 8, 0, func(t rates.TypeRates) string { return counted(t.Waiting) }},
	{"oldest", 8, 1, func(t rates.TypeRates) string { return span(t.OldestDue) }},
	{"out/s", 7, 0, func(t rates.TypeRates) string { return rate(t.Out) }},
	{"failing/s", 11, 3, func(t rates.TypeRates) string { return rate(t.Failing) }},
	{"p50", 10, 4, func(t rates.TypeRates) string { return latency(t.P50) }},
	{"p99", 10, 2, func(t rates.TypeRates) string { return latency(t.P99) }},
	{"dead", 6, 0, func(t rates.TypeRates) string { return counted(t.Dead) }},
	{"state", 13, 0, func(t rates.TypeRates) string { return states[t.State] }},
}

// states are words with a mark, for those who see no colours.
var states = map[string]string{
	rates.OK: "✓ ok", rates.Down: "● down", rates.Behind: "▲ behind", rates.Paused: "‖ paused", rates.Unclaimed: "▲ unclaimed",
}

func colourOf(state string) lipgloss.Style {
	switch state {
	case rates.OK:
		return screen.Good
	case rates.Down, rates.Unclaimed:
		return screen.Bad
	}
	return screen.Warning
}

// typeWidth is the least width of the event types.
const typeWidth = 18

// fit returns the highest rank of the columns that fit, and how wide they are.
func fit(room int) (rank, width int) {
	for rank = 4; ; rank-- {
		width = 0
		for _, c := range columns {
			if c.rank <= rank {
				width += c.width
			}
		}
		if width <= room || rank == 0 {
			return rank, width
		}
	}
}

// typeTable has a row for each event type, as many as there is room for.
func typeTable(v View, f frame, room int) []string {
	all := types(v, f.order)
	if len(all) == 0 {
		return nil
	}
	rank, width := fit(f.width - typeWidth)
	name := min(max(f.width-width, 1), 60)
	row := func(first string, cell func(i int) string) string {
		var b strings.Builder
		b.WriteString(screen.Pad(first, -name))
		for i, c := range columns {
			if c.rank <= rank {
				b.WriteString(cell(i))
			}
		}
		return b.String()
	}
	lines := []string{screen.Faint.Render(row("type", func(i int) string { return cell(columns[i].name, columns[i].width, columns[i].name) }))}
	for i, t := range all {
		if len(lines) == room-1 && i < len(all)-1 {
			lines = append(lines, screen.Faint.Render(fmt.Sprintf("%d more types", len(all)-i)))
			break
		}
		lines = append(lines, row(screen.Printable(t.Type), func(i int) string {
			c := columns[i]
			text := cell(c.value(t), c.width, c.name)
			if c.name == "state" {
				return colourOf(t.State).Render(text)
			}
			return text
		}))
	}
	return lines
}

// cell aligns numbers to the right of their column, and words to the left.
func cell(text string, width int, column string) string {
	if column == "state" {
		return "  " + screen.Pad(text, -(width-2))
	}
	return " " + screen.Pad(text, width-1)
}
