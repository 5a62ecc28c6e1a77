package console

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/sendoff-go/outbox/admin"
)

// dones are what actions say when they are done, on the page that follows. The
// address of that page has only the name and a number, so that a link cannot make
// the console say anything else.
var dones = map[string]string{
	"retry":   "%s put back into the outbox.",
	"resolve": "%s resolved.",
	"delete":  "%s deleted.",
	"note":    "The note is saved.",
	"edit":    "Put back into the outbox with your changes.",
	"mark":    "The group is marked.",
	"pause":   "Paused: in force everywhere within two seconds.",
	"resume":  "Resumed: in force everywhere within two seconds.",
	"mute":    "Muted.",
	"unmute":  "No longer muted.",
	"cancel":  "Cancelled. What it did stays done.",
	"consent": "Allowed: it runs as soon as an instance takes it.",
	"start":   "Started: it runs as soon as an instance takes it.",
	"ask":     "It waits until a second person allows it: send them the address of this page.",
}

// undones are what actions say about rows that they did not change, by the name of
// the parameter that has their number.
var undones = []struct{ name, text string }{
	{"left", "%s left as before: an event of the same id is in the outbox again."},
	{"gone", "%s gone already."},
}

// doneText is what the query of an address says.
func doneText(lang string, q url.Values) string {
	text := dones[q.Get("done")]
	if !strings.Contains(text, "%s") {
		return translate(lang, text)
	}
	count, err := strconv.ParseInt(q.Get("n"), 10, 64)
	if err != nil {
		return ""
	}
	text = translate(lang, text, number(count))
	for _, rest := range undones {
		if n, err := strconv.ParseInt(q.Get(rest.name), 10, 64); err == nil && n > 0 {
			text += " " + translate(lang, rest.text, number(n))
		}
	}
	return text
}

// done is the address that says so: page is relative to the top and may have a
// query.
func done(page, name string, n int64) string {
	sign := "?"
	for _, r := range page {
		if r == '?' {
			sign = "&"
		}
	}
	if n >= 0 {
		return page + sign + "done=" + name + "&n=" + strconv.FormatInt(n, 10)
	}
	return page + sign + "done=" + name
}

// startedAt is the page of a job that somebody has asked for.
func startedAt(j *admin.Job) string {
	if string(j.State) == "waiting" {
		return done(one("jobs/one", j.ID), "ask", -1)
	}
	return done(one("jobs/one", j.ID), "start", -1)
}
