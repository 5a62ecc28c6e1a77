package driver_test

import (
	"testing"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

func TestTheTraceIDIsThatOfTheEventOrOfItsContext(t *testing.T) {
	const id = "4bf92f3577b34da6a3ce929d0e0e4736"
	for name, c := range map[string]struct{ own, context, want string }{
		"none":                {"", "", ""},
		"of the event":        {"mine", "00-" + id + "-00f067aa0ba902b7-01", "mine"},
		"of the context":      {"", "00-" + id + "-00f067aa0ba902b7-01", id},
		"of a later version":  {"", "cc-" + id + "-00f067aa0ba902b7-01-more", id},
		"cut off":             {"", "00-" + id, ""},
		"too short":           {"", "00-4bf92f-00f067aa0ba902b7-01", ""},
		"only zeros":          {"", "00-00000000000000000000000000000000-00f067aa0ba902b7-01", ""},
		"not hexadecimal":     {"", "00-4bf92f3577b34da6a3ce929d0e0e473<-00f067aa0ba902b7-01", ""},
		"bad within the text": {"", "00-4bf92f3577b34da6<script>d0e0e473-00f067aa0ba902b7-01", ""},
	} {
		e := outbox.Event{TraceID: c.own, Headers: map[string]string{driver.HeaderTraceParent: c.context}}
		if got := driver.TraceIDOf(&e); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
