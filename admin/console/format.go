package console

import (
	"fmt"
	"html/template"
	"math"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/driver"
)

// functions are the functions of the templates, in one language.
func functions(lang string) template.FuncMap {
	t := func(text string, args ...any) string { return translate(lang, text, args...) }
	return template.FuncMap{
		"t":         t,
		"alert":     func(text string) string { return alertText(lang, text) },
		"problem":   func(text string) string { return problemText(lang, text) },
		"languages": func() map[string]string { return languages },
		"number":    anyNumber,
		"count":     counted,
		"share":     share,
		"rate":      rate,
		"span":      func(d time.Duration) string { return span(lang, d) },
		"seconds":   func(s float64) string { return span(lang, time.Duration(s*float64(time.Second))) },
		"since":     func(at any) template.HTML { return since(lang, at, time.Now()) },
		"past":      func(t time.Time) bool { return !t.After(time.Now()) },
		"clock":     clock,
		"query":     query,
		"list":      func(all ...any) []any { return all },
		"dict":      dict,
		"short":     short,
		"join":      strings.Join,
		"shortid":   shortID,
		"spark":     spark,
		"todo":      todo,
		"muted":     muted,
		"happened":  func(e entry) string { return happenedText(lang, e.happening) },
		"attempts":  attemptsOf,
		"handled":   handled,
		"progress":  func(j admin.Job) float64 { return float64(min(handled(j), total(j))) },
		"bounded":   bounded,
		"part": func(j admin.Job) string {
			if bounded(j) {
				return share(0, 0)
			}
			return share(float64(min(handled(j), total(j))), float64(total(j)))
		},
		"total": func(j admin.Job) float64 { return float64(total(j)) },
	}
}

// number writes a number with separators.
func number[T int | int64](n T) string {
	s := strconv.FormatInt(int64(n), 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func anyNumber(n any) string {
	switch n := n.(type) {
	case int:
		return number(n)
	case int64:
		return number(n)
	}
	return fmt.Sprint(n)
}

// counted writes a count, and + if there are more.
func counted(c admin.Count) string {
	if c.More {
		return number(c.N) + "+"
	}
	return number(c.N)
}

// share writes a part of a whole.
func share(part, whole float64) string {
	if whole <= 0 {
		return "–"
	}
	return strconv.Itoa(int(math.Round(100*part/whole))) + " %"
}

// rate writes a number a second; NaN is not known.
func rate(perSecond float64) string {
	switch {
	case math.IsNaN(perSecond):
		return "–"
	case perSecond > 0 && perSecond < 9.95:
		return strconv.FormatFloat(perSecond, 'f', 1, 64)
	}
	return number(int64(math.Round(perSecond)))
}

// units are the units of durations, the longest first.
var units = []struct {
	unit time.Duration
	name string
}{{24 * time.Hour, "d"}, {time.Hour, "h"}, {time.Minute, "min"}, {time.Second, "s"}, {time.Millisecond, "ms"}, {time.Microsecond, "µs"}}

// span writes a duration with two digits or three; 0 is none.
func span(lang string, d time.Duration) string {
	for _, u := range units {
		if d < u.unit {
			continue
		}
		n := float64(d) / float64(u.unit)
		digits := 0
		if n < 9.95 && u.unit <= time.Second {
			digits = 1
		}
		return strconv.FormatFloat(n, 'f', digits, 64) + " " + translate(lang, u.name)
	}
	return "–"
}

// since writes a time as people say it, with the exact one on hover.
func since(lang string, at any, now time.Time) template.HTML {
	var t time.Time
	switch v := at.(type) {
	case time.Time:
		t = v
	case *time.Time:
		if v != nil {
			t = *v
		}
	}
	if t.IsZero() {
		return "–"
	}
	text := ""
	switch d := now.Sub(t); {
	case d < -time.Second:
		text = translate(lang, "in %s", span(lang, -d))
	case d < time.Second:
		text = translate(lang, "now")
	default:
		text = translate(lang, "%s ago", span(lang, d))
	}
	exact := t.UTC().Format("2006-01-02 15:04:05.000 UTC")
	return template.HTML(fmt.Sprintf(`<time datetime="%s" title="%s">%s</time>`, //nolint:gosec // its parts are escaped or numbers
		t.UTC().Format(time.RFC3339Nano), exact, template.HTMLEscapeString(text)))
}

// clock writes a time of the day, for a list that is in order.
func clock(at time.Time) template.HTML {
	return template.HTML(fmt.Sprintf(`<time datetime="%s" title="%s">%s</time>`, //nolint:gosec // of digits
		at.UTC().Format(time.RFC3339Nano), at.UTC().Format("2006-01-02 15:04:05.000 UTC"), at.UTC().Format("15:04:05")))
}

// query makes the query of an address from names and values; empty ones are left
// out.
func query(pairs ...string) template.URL {
	v := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			v.Set(pairs[i], pairs[i+1])
		}
	}
	return template.URL("?" + v.Encode()) //nolint:gosec // it is encoded
}

func dict(pairs ...any) map[string]any {
	out := map[string]any{}
	for i := 0; i+1 < len(pairs); i += 2 {
		out[pairs[i].(string)] = pairs[i+1]
	}
	return out
}

// short cuts a text in the middle of a line.
func short(text string, n int) string {
	line, _, more := strings.Cut(text, "\n")
	runes := []rune(line)
	if len(runes) > n {
		return string(runes[:n]) + "…"
	}
	if more {
		return line + " …"
	}
	return line
}

// handled is how many rows a job has dealt with.
func handled(j admin.Job) int64 { return j.Applied + j.Conflicts + j.Gone }

// total is how many rows a job has to deal with, at least one.
func total(j admin.Job) int64 {
	if j.EndedAt != nil && j.State == driver.JobDone {
		return max(handled(j), 1)
	}
	return max(j.Matches.N, 1)
}

// bounded reports whether a job has more rows than were counted, so that nobody knows
// how much of it is done.
func bounded(j admin.Job) bool { return j.Matches.More && j.State != driver.JobDone }

// spark is the path of a small chart of 88 by 20.
func spark(values []float64) string {
	top := 0.0
	for _, v := range values {
		top = math.Max(top, v) // NaN wins, and is skipped below
	}
	if len(values) < 2 {
		return "M0 19L88 19"
	}
	var b strings.Builder
	gap := true
	for i, v := range values {
		if math.IsNaN(v) {
			gap = true
			continue
		}
		y := 19.0
		if top > 0 {
			y = 19 - 17*v/top
		}
		letter := "L"
		if gap {
			letter = "M"
		}
		gap = false
		fmt.Fprintf(&b, "%s%.1f %.1f", letter, 88*float64(i)/float64(len(values)-1), y)
	}
	return b.String()
}

// shortID is an id for a table: its beginning and its end, since ids that were
// made one after the other begin alike.
func shortID(id string) string {
	if r := []rune(id); len(r) > 16 {
		return string(r[:6]) + "…" + string(r[len(r)-6:])
	}
	return id
}
