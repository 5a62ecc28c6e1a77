package top

import (
	"fmt"
	"math"
	"strings"
	"time"

	"charm.land/lipgloss/v2"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/cmd/internal/screen"
)

// frame is what a view is drawn into. A height of 0 means any length.
type frame struct {
	where         string
	order         order
	paused        bool
	width, height int
}

// most is how many alerts, destinations and instances are shown at most.
const most = 4

// render draws a view. On a small terminal it leaves out event types first, then what
// is below the figures, but never how to quit.
func render(v View, f frame) string {
	live := f.width <= 0 || f.height > 0
	if f.width <= 0 {
		f.width, f.height = 80, 24
	}
	f.width = min(f.width, 160)
	blocks := [][]string{
		{header(v, f), screen.Faint.Render(screen.Clip(f.where, f.width))},
		figures(v, f.width), alerts(v, f.width), down(v, f.width), instances(v, f.width),
	}
	used := 0
	for _, b := range blocks {
		if len(b) > 0 {
			used += len(b) + 1
		}
	}
	room := math.MaxInt
	if live {
		room = max(f.height-used-1, 3)
	}
	table := typeTable(v, f, room)
	blocks = append(blocks[:len(blocks)-1], table, blocks[len(blocks)-1])
	var lines []string
	for _, b := range blocks {
		if len(b) > 0 && len(lines) > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, b...)
	}
	if live {
		room := max(f.height-1, 0)
		lines = append(lines, make([]string, max(room-len(lines), 0))...) // the foot is at the bottom
		lines = append(lines[:room], foot(f))
	}
	return lipgloss.NewStyle().MaxWidth(f.width).Render(strings.Join(lines, "\n"))
}

func header(v View, f frame) string {
	left := screen.Title.Render("outbox top")
	switch {
	case v.Err != nil:
		left += "  " + screen.Bad.Render(screen.Clip("cannot be read, trying again: "+screen.Printable(v.Err.Error()), f.width-22))
	case f.paused:
		left += "  " + screen.Warning.Render("refresh paused")
	}
	return screen.Spread(left, v.At.Format("15:04:05"), f.width)
}

// figures returns lines with the key figures.
func figures(v View, width int) []string {
	s, w := v.Status, v.Now
	number := func(name, value, rest string) string {
		return fmt.Sprintf("%-13s%12s  %s", name, value, rest)
	}
	colour := func(style lipgloss.Style, on bool, line string) string {
		if on {
			return style.Render(line)
		}
		return line
	}
	out, failing, in := math.NaN(), math.NaN(), math.NaN()
	if v.Known {
		out, failing, in = w.PerSecond(w.Total.Delivered), w.PerSecond(w.Total.Failed), w.In()
	}
	hot := ""
	if w.Total.Delivered > 0 {
		hot = fmt.Sprintf("%.0f%% right after commit", 100*w.Total.Hot/w.Total.Delivered)
	}
	lines := []string{
		number("waiting", counted(s.Waiting), "oldest "+span(s.OldestDue)+", "+counted(s.Held)+" in delivery"),
		number("in", perSecond(in), ""),
		number("out", perSecond(out), hot),
		colour(screen.Warning, failing > 0, number("failing", perSecond(failing), "attempts")),
		number("latency p50", latency(w.Total.Percentile(0.5)), "p99 "+latency(w.Total.Percentile(0.99))+", commit to delivery"),
		colour(screen.Bad, s.Dead.N > 0, number("dead letters", counted(s.Dead), "")),
	}
	const course = 64 // where the bars begin
	if bars := width - course; bars >= 10 && len(v.Course) > 0 {
		lines[0] = screen.Pad(lines[0], -(course-2)) + "  " + screen.Faint.Render("out per second")
		lines[1] = screen.Pad(lines[1], -(course-2)) + "  " + screen.Accent.Render(screen.Bars(v.Course, bars))
	}
	if len(s.Paused) > 0 {
		lines = append(lines, screen.Warning.Render(screen.Clip("paused       "+screen.Printable(strings.Join(s.Paused, ", ")), width)))
	}
	return lines
}

func alerts(v View, width int) []string {
	var lines []string
	for _, a := range v.Alerts[:min(len(v.Alerts), most)] {
		style := screen.Warning
		if a.Severity == "critical" {
			style = screen.Bad
		}
		lines = append(lines, style.Render(screen.Pad("● "+string(a.Severity), -12))+screen.Clip(screen.Printable(a.Text), width-12))
	}
	return more(lines, len(v.Alerts), "alerts: outbox alerts")
}

// down returns lines with the destinations that are down or paused.
func down(v View, width int) []string {
	var lines []string
	n := 0
	for _, d := range v.Status.Destinations {
		if d.State == admin.DestinationDelivering {
			continue
		}
		if n++; n > most {
			continue
		}
		text, style := d.Name, screen.Bad
		if d.State == admin.DestinationPaused {
			style = screen.Warning
			text += " by " + d.PausedBy
		} else {
			if d.DownSince != nil {
				text += " for " + span(v.At.Sub(*d.DownSince).Seconds())
			}
			text += ": " + d.Reason
		}
		lines = append(lines, style.Render(screen.Pad("● "+d.State, -12))+screen.Clip(screen.Printable(text), width-12))
	}
	return more(lines, n, "destinations: outbox status")
}

func instances(v View, width int) []string {
	if len(v.Status.Relays) == 0 {
		return []string{screen.Bad.Render(screen.Clip("No relay is running: start one, or nothing is delivered.", width))}
	}
	instance := max(width-48, 1)
	lines := []string{screen.Faint.Render(screen.Pad("instance", -instance) + screen.Pad("version", 14) + screen.Pad("up", 8) + screen.Pad("busy", 8) + screen.Pad("held", 9) + screen.Pad("out/s", 9))}
	for _, in := range v.Status.Relays[:min(len(v.Status.Relays), most)] {
		busy, out := "–", math.NaN()
		if r, ok := v.Relays[in.Owner]; ok && r.Rates != nil {
			out = 0
			for _, f := range r.Rates {
				out += f.Delivered
			}
			if in.Figures.Workers > 0 {
				busy = fmt.Sprintf("%.0f%%", 100*min(r.Busy/float64(in.Figures.Workers), 1))
			}
		}
		name, _, _ := strings.Cut(in.Owner, "/")
		lines = append(lines, screen.Pad(screen.Printable(name), -instance)+screen.Pad(" "+screen.Printable(in.Version), 14)+
			screen.Pad(span(in.SeenAt.Sub(in.StartedAt).Seconds()), 8)+screen.Pad(busy, 8)+screen.Pad(screen.Count(int64(in.Figures.Held)), 9)+screen.Pad(rate(out), 9))
	}
	return more(lines, len(v.Status.Relays), "instances: outbox status")
}

// more adds how many are not listed.
func more(lines []string, n int, what string) []string {
	if n > most {
		lines = append(lines, screen.Faint.Render(fmt.Sprintf("%d more %s", n-most, what)))
	}
	return lines
}

// foot begins with the key to quit, which must fit on a narrow terminal.
func foot(f frame) string {
	pause := "pause"
	if f.paused {
		pause = "go on"
	}
	return screen.Faint.Render(screen.Clip(fmt.Sprintf("q quit   p %s   s sort, now by %s", pause, f.order), f.width))
}

func counted(c admin.Count) string {
	if c.More {
		return screen.Count(c.N) + "+"
	}
	return screen.Count(c.N)
}

// rate formats a number per second; NaN means not known.
func rate(n float64) string {
	if math.IsNaN(n) {
		return "–"
	}
	return screen.Rate(n)
}

func perSecond(n float64) string {
	if math.IsNaN(n) {
		return rate(n)
	}
	return rate(n) + "/s"
}

// latency formats a duration; 0 means none.
func latency(d time.Duration) string {
	if d <= 0 {
		return "–"
	}
	return screen.Millis(d)
}

// span formats seconds in the units that people read.
func span(seconds float64) string {
	d := time.Duration(seconds * float64(time.Second))
	switch {
	case d <= 0:
		return "–"
	case d < time.Second:
		return screen.Millis(d)
	case d < time.Minute:
		return screen.Rate(d.Seconds()) + " s"
	case d < time.Hour:
		return fmt.Sprintf("%dm%02ds", d/time.Minute, d%time.Minute/time.Second)
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh%02dm", d/time.Hour, d%time.Hour/time.Minute)
	}
	return fmt.Sprintf("%dd", d/(24*time.Hour))
}
