package demo

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"
)

// The colours are the terminal's own sixteen, which fit its background.
var (
	title   = lipgloss.NewStyle().Bold(true)
	faint   = lipgloss.NewStyle().Faint(true)
	good    = lipgloss.NewStyle().Foreground(lipgloss.Green)
	warning = lipgloss.NewStyle().Foreground(lipgloss.Yellow)
	bad     = lipgloss.NewStyle().Foreground(lipgloss.Red)
	bar     = lipgloss.NewStyle().Foreground(lipgloss.Cyan)
)

// render draws the state into a terminal of that size. At 80 by 24 everything
// is there; notes get whatever lines are left.
func render(st State, where string, width, height int) string {
	if width <= 0 {
		width, height = 80, 24
	}
	width = min(width, 120)
	parts := []string{
		header(st, width),
		faint.Render(clip(where, width)),
		"",
		totals(st, width),
		"",
		lanes(st),
		"",
	}
	top := strings.Join(parts, "\n")
	left := height - lipgloss.Height(top) - 1
	return lipgloss.NewStyle().MaxWidth(width).MaxHeight(max(height, 1)).Render(top + "\n" + notesBox(st, width, left) + foot(st))
}

func header(st State, width int) string {
	left := title.Render("outbox demo") + "  " + string(st.Phase)
	right := fmt.Sprintf("%02d:%02d", int(st.Elapsed.Minutes()), int(st.Elapsed.Seconds())%60)
	return spread(left, right, width)
}

// totals has the numbers that matter on the left and the course on the right.
func totals(st State, width int) string {
	t := st.Total
	row := func(name string, n int64, rest string) string {
		return fmt.Sprintf("%-12s %10s  %s", name, count(n), rest)
	}
	colour := func(style lipgloss.Style, n int64, s string) string {
		if n == 0 {
			return s
		}
		return style.Render(s)
	}
	verdict := good.Render("no duplicates")
	if t.Duplicates > 0 || t.Phantoms > 0 {
		verdict = bad.Render(fmt.Sprintf("%s twice, %s without a commit", count(t.Duplicates), count(t.Phantoms)))
	}
	left := strings.Join([]string{
		row("written", t.Written, rate(t.WriteRate)+"/s"),
		row("delivered", t.Delivered, rate(t.DeliverRate)+"/s"),
		row("waiting", t.Open(), ""),
		colour(warning, t.Retried, row("retried", t.Retried, "")),
		colour(bad, t.GaveUp, row("dead", t.GaveUp, "")),
		row("rolled back", t.RolledBack, faint.Render("and never seen")),
	}, "\n")
	right := strings.Join([]string{
		faint.Render("delivered a second"),
		bar.Render(course(st.PerSecond, max(width-44, 10))),
		"",
		faint.Render("commit to listener, last " + fmt.Sprint(int(window.Seconds())) + " s"),
		fmt.Sprintf("p50 %s   p99 %s", millis(t.P50), millis(t.P99)),
		verdict,
	}, "\n")
	return lipgloss.JoinHorizontal(lipgloss.Top, lipgloss.NewStyle().Width(42).Render(left), right)
}

// course draws one bar a second, the latest on the right.
func course(perSecond []int64, width int) string {
	levels := []rune("▁▂▃▄▅▆▇█")
	if len(perSecond) > width {
		perSecond = perSecond[len(perSecond)-width:]
	}
	var most int64 = 1
	for _, n := range perSecond {
		most = max(most, n)
	}
	var out strings.Builder
	for _, n := range perSecond {
		if n <= 0 {
			out.WriteByte(' ')
			continue
		}
		out.WriteRune(levels[(n*int64(len(levels))-1)/most])
	}
	return out.String()
}

// laneRow is 78 wide.
const laneRow = "%-12s%9s%10s%8s%8s%6s%6s%10s%9s"

func lanes(st State) string {
	rows := []string{faint.Render(fmt.Sprintf(laneRow, "lane", "written", "delivered", "waiting", "retried", "dead", "hot", "p50", "p99"))}
	for _, l := range st.Lanes {
		rows = append(rows, fmt.Sprintf(laneRow, l.Name, count(l.Written), count(l.Delivered), count(l.Open()), count(l.Retried),
			count(l.GaveUp), share(l.Hot, l.Delivered+l.GaveUp), millis(l.P50), millis(l.P99)))
	}
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
		mark := warning.Render("retry ")
		switch n.Kind {
		case Died:
			mark = bad.Render("dead  ")
		case Trouble:
			mark = bad.Render("error ")
		case Retrying:
		}
		out.WriteString(mark + clip(n.Text, width-6) + "\n")
	}
	out.WriteString(strings.Repeat("\n", max(lines-len(notes), 0)))
	return out.String()
}

func foot(st State) string {
	if st.Phase == Draining {
		return faint.Render("waiting for the last retries; q again ends at once")
	}
	return faint.Render("q or Ctrl-C ends the demo")
}

func spread(left, right string, width int) string {
	gap := max(width-lipgloss.Width(left)-lipgloss.Width(right), 1)
	return left + strings.Repeat(" ", gap) + right
}

// clip cuts plain text to a width.
func clip(s string, width int) string {
	if lipgloss.Width(s) <= width {
		return s
	}
	runes := []rune(s)
	for len(runes) > 0 && lipgloss.Width(string(runes)) > width-1 {
		runes = runes[:len(runes)-1]
	}
	return string(runes) + "…"
}
