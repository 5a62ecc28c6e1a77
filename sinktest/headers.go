package sinktest

import (
	"maps"
	"strings"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

func headerLaws() []Law {
	return []Law{
		{
			Name:  "headers arrive unchanged",
			Why:   "consumers route, trace and deduplicate by them",
			Check: check(exactHeaders),
		},
		{
			Name:  "every message says what it is",
			Why:   "without the id a consumer cannot detect duplicates, and without the trace context the trace ends here",
			Check: check(standardHeaders),
		},
		{
			Name:  "a header that cannot be carried is refused, not changed",
			Why:   "a silently changed header makes a wrong message, and one that splits a frame makes a forged one",
			Check: check(awkwardHeaders),
		},
	}
}

func exactHeaders(k *kit) {
	e := event("order")
	e.Headers = map[string]string{
		"plain": "text", "empty": "", "emoji": "😀 é ß", "X-Mixed-Case": "Kept", "punctuation": `a=b; c="d", <e>&%41{}\`,
		"inner": "two  spaces\tand a tab", "long": strings.Repeat("0123456789", 300), "number": "007",
	}
	ms := k.messages(e)
	k.send(ms)
	k.sameHeaders(ms[0], k.exactly(ms)[e.ID])
}

func standardHeaders(k *kit) {
	e := event("4711")
	e.TenantID, e.CorrelationID, e.TraceID = "tenant", "correlation", "4bf92f3577b34da6a3ce929d0e0e4736"
	e.Headers = map[string]string{
		driver.HeaderTraceParent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
		driver.HeaderTraceState:  "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE",
	}
	ms := k.messages(e)
	k.send(ms)
	a := k.exactly(ms)[e.ID]
	for name, want := range map[string]string{
		outbox.HeaderEventID: e.ID, outbox.HeaderEventType: e.Type,
		outbox.HeaderAggregateType: "Order", outbox.HeaderAggregateID: "4711",
		outbox.HeaderTenantID: "tenant", outbox.HeaderCorrelationID: "correlation", outbox.HeaderTraceID: e.TraceID,
		driver.HeaderTraceParent: e.Headers[driver.HeaderTraceParent], driver.HeaderTraceState: e.Headers[driver.HeaderTraceState],
	} {
		if a.Headers[name] != want {
			k.Errorf("header %s is %q, expected %q", name, a.Headers[name], want)
		}
	}
}

func awkwardHeaders(k *kit) {
	var es []outbox.Event
	for name, value := range map[string]string{
		"newline": "a\r\nforged: yes", "feed": "a\nb", "leading": "  a", "trailing": "a  ", "nul": "a\x00b",
		"name with spaces": "a", "name:colon": "a", "naïve": "a", "name\r\nforged": "a", "control": "a\x01\x7fb",
	} {
		e := event("order")
		e.Headers = map[string]string{name: value}
		es = append(es, e)
	}
	good := event("order")
	ms := k.messages(append(es, good)...)
	var delivered []outbox.Message
	for i, err := range k.within(patience, ms) {
		switch {
		case err == nil:
			delivered = append(delivered, ms[i])
		case ms[i].Event.ID == good.ID:
			k.Errorf("a good message, next to others whose headers cannot be carried: %v", err)
		case !outbox.IsPermanent(err):
			k.Errorf("headers %q: answer %q, expected it to be Permanent", ms[i].Event.Headers, err)
		}
	}
	byID := k.exactly(delivered)
	for _, m := range delivered {
		k.sameHeaders(m, byID[m.Event.ID])
	}
}

// sameHeaders checks that all headers of m arrived; the transport may add
// others.
func (k *kit) sameHeaders(m outbox.Message, a Arrival) {
	k.Helper()
	got := a.Headers
	if k.FoldsHeaderNames {
		got = maps.Collect(func(yield func(string, string) bool) {
			for name, value := range a.Headers {
				if !yield(strings.ToLower(name), value) {
					return
				}
			}
		})
	}
	for name, want := range m.Headers {
		key := name
		if k.FoldsHeaderNames {
			key = strings.ToLower(name)
		}
		if value, ok := got[key]; !ok || value != want {
			k.Errorf("header %q is %q (present: %t), expected %q", name, value, ok, want)
		}
	}
	if _, ok := got["forged"]; ok {
		k.Errorf("the value of one header became another header")
	}
}
