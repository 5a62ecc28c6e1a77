package outbox_test

import (
	"strings"
	"testing"

	"github.com/sendoff-go/outbox"
)

func TestTargetsTellApartWhatTheirNamesHide(t *testing.T) {
	reg := outbox.NewRegistry()
	s := calledSink{"hook"}
	reg.Route("a", s, outbox.To("https://host/p4ss-1"))
	reg.Route("b-*", s, outbox.To("https://host/p4ss-2"))
	reg.Route("c", s, outbox.To("https://host/p4ss-1"))
	name := func(eventType string) string { return reg.Lookup("", eventType).Name() }
	if name("a") == name("b-1") || name("a") != name("c") {
		t.Errorf("a is %s, b %s, c %s", name("a"), name("b-1"), name("c"))
	}
	if got := name("b-1"); got != "hook#0:https://host/***** (b-*)" || strings.Contains(name("a"), "p4ss") {
		t.Errorf("b is %s, a %s", got, name("a"))
	}
}
