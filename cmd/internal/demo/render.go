package demo

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"

	"github.com/sendoff-go/outbox/cmd/internal/screen"
)

// render draws the state into a terminal of that size. At 80 by 24 everything
// is there; notes get whatever lines are left, and a smaller terminal loses those
// first, then lanes and totals. How to end the demo is always there.
func render(st State, where string, width, height int) string {
	if width <= 0 {
		width, height = 80, 24
	}
	width = min(width, 120)
	head := header(st, width)
	if st.Console != "" {
		head += "\n" + screen.Clip("console  ", width) + screen.Accent.Render(screen.Clip(st.Console, width-9))
	}
	top := strings.Join([]string{
		head,
		screen.Faint.Render(screen.Clip(where, width)),
		"",
		totals(st, width),
		"",
		lanes(st, width),
		"",
	}, "\n")
	room := max(height-1, 0) // the last line is the foot's
	body := top + "\n" + notesBox(st, width, room-lipgloss.Height(top))
	lines := strings.Split(strings.TrimSuffix(body, "\n"), "\n")
	lines = append(lines[:min(room, len(lines))], foot(st, width))
	return lipgloss.NewStyle().MaxWidth(width).Render(strings.Join(lines, "\n"))
}

func header(st State, width int) string {
	left := screen.Title.Render("outbox demo") + "  " + string(st.Phase)
	right := fmt.Sprintf("%02d:%02d", int(st.Elapsed.Minutes()), int(st.Elapsed.Seconds())%60)
	return screen.Spread(left, right, width)
}

// totals has the numbers that matter on the left and the course on the right.
func totals(st State, width int) string {
	t := st.Total
	row := func(name string, n int64, rest string) string {
		return fmt.Sprintf("%-12s %10s  %s", name, screen.Count(n), rest)
	}
	colour := func(style lipgloss.Style, n int64, s string) string {
		if n == 0 {
			return s
		}
		return style.Render(s)
	}
	verdict := screen.Good.Render("no duplicates")
	if t.Duplicates > 0 || t.Phantoms > 0 {
		verdict = screen.Bad.Render(fmt.Sprintf("%s twice, %s without a commit", screen.Count(t.Duplicates), screen.Count(t.Phantoms)))
	} else if t.Repeated > 0 {
		verdict += screen.Faint.Render(", " + screen.Count(t.Repeated) + " again on request")
	}
	left := strings.Join([]string{
		row("written", t.Written, screen.Rate(t.WriteRate)+"/s"),
		row("delivered", t.Delivered, screen.Rate(t.DeliverRate)+"/s"),
		row("waiting", t.Open(), ""),
		colour(screen.Warning, t.Retried, row("retried", t.Retried, "")),
		colour(screen.Bad, t.GaveUp, row("dead", t.GaveUp, "")),
		row("rolled back", t.RolledBack, screen.Faint.Render("and never delivered")),
	}, "\n")
	right := strings.Join([]string{
		screen.Faint.Render("delivered per second"),
		screen.Accent.Render(screen.Bars(st.PerSecond, max(width-44, 10))),
		"",
		screen.Faint.Render("commit to listener, last " + fmt.Sprint(int(window.Seconds())) + " s"),
		fmt.Sprintf("p50 %s   p99 %s", screen.Millis(t.P50), screen.Millis(t.P99)),
		verdict,
	}, "\n")
	if width < leftWidth+lipgloss.Width(right) {
		return left + "\n" + fmt.Sprintf("%-12s p50 %s  p99 %s", "latency", screen.Millis(t.P50), screen.Millis(t.P99)) + "\n" + verdict
	}
	return lipgloss.JoinHorizontal(lipgloss.Top, lipgloss.NewStyle().Width(leftWidth).Render(left), right)
}

// leftWidth is where the right half of the totals begins.
const leftWidth = 42

// laneColumns are 80 wide together. Those at the end are left out where they do
// not fit.
var laneColumns = []struct {
	name  string
	width int
	value func(l Lane) string
}{
	{"type", -16, func(l Lane) string { return l.Name }},
	{"written", 10, func(l Lane) string { return screen.Count(l.Written) }},
	{"delivered", 10, func(l Lane) string { return screen.Count(l.Delivered) }},
	{"waiting", 8, func(l Lane) string { return screen.Count(l.Open()) }},
	{"retried", 8, func(l Lane) string { return screen.Count(l.Retried) }},
	{"dead", 5, func(l Lane) string { return screen.Count(l.GaveUp) }},
	{"hot", 5, func(l Lane) string { return share(l.Hot, l.Delivered+l.GaveUp) }},
	{"p50", 9, func(l Lane) string { return screen.Millis(l.P50) }},
	{"p99", 9, func(l Lane) string { return screen.Millis(l.P99) }},
}

func lanes(st State, width int) string {
	rows := make([]string, len(st.Lanes)+1)
	for _, c := range laneColumns {
		if lipgloss.Width(rows[0])+max(c.width, -c.width) > width {
			break
		}
		rows[0] += fmt.Sprintf("%*s", c.width, c.name)
		for i, l := range st.Lanes {
			rows[i+1] += fmt.Sprintf("%*s", c.width, c.value(l))
		}
	}
	rows[0] = screen.Faint.Render(rows[0])
	return strings.Join(rows, "\n")
}

// share is how many of the events came from memory right after their commit.
func share(part, of int64) string {
	if of == 0 {
		return "-"
	}
	return fmt.Sprintf("%d%%", min(100*part/of, 100))
}

// notesBox has the latest notes, as many as fit.
func notesBox(st State, width, lines int) string {
	var out strings.Builder
	notes := st.Notes
	if len(notes) > lines {
		notes = notes[len(notes)-max(lines, 0):]
	}
	for _, n := range notes {
		mark := screen.Warning.Render("retry ")
		switch n.Kind {
		case Died:
			mark = screen.Bad.Render("dead  ")
		case Trouble:
			mark = screen.Bad.Render("error ")
		case Down:
			mark = screen.Bad.Render("down  ")
		case Back:
			mark = screen.Good.Render("back  ")
		case Retrying:
		}
		out.WriteString(mark + screen.Clip(n.Text, width-6) + "\n")
	}
	out.WriteString(strings.Repeat("\n", max(lines-len(notes), 0)))
	return out.String()
}

// foot begins with the key, which is what a narrow terminal must not cut.
func foot(st State, width int) string {
	if st.Phase == Draining {
		return screen.Faint.Render(screen.Clip("q ends at once; waiting for the last retries", width))
	}
	return screen.Faint.Render(screen.Clip("q or Ctrl-C ends the demo", width))
}
