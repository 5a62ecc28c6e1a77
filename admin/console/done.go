package console

import "strconv"

// dones are what actions say when they are done, on the page that follows. The
// address of that page has the name and a number, so that nothing else can be put
// into anybody's mouth.
var dones = map[string]string{
	"retry":   "%s put back into the outbox.",
	"resolve": "%s resolved.",
	"delete":  "%s deleted.",
	"note":    "Noted on %s.",
	"edit":    "Put back into the outbox with your changes.",
	"mark":    "The group is marked.",
	"pause":   "Paused: in force everywhere within two seconds.",
	"resume":  "Resumed: in force everywhere within two seconds.",
	"mute":    "Muted.",
	"unmute":  "No longer muted.",
	"cancel":  "Cancelled. What it did stays done.",
	"consent": "Allowed: it runs as soon as an instance takes it.",
	"start":   "Started: it runs as soon as an instance takes it.",
}

func doneText(lang, name, n string) string {
	text, ok := dones[name]
	if !ok {
		return ""
	}
	count, err := strconv.ParseInt(n, 10, 64)
	if err != nil {
		return translate(lang, text)
	}
	return translate(lang, text, number(count))
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
