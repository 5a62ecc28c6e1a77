package outbox_test

import (
	"strings"
	"testing"

	"github.com/sendoff-go/outbox"
)

func TestADestinationIsNamedWithoutItsSecrets(t *testing.T) {
	for destination, want := range map[string]string{
		"":                                       "",
		"orders":                                 "orders",
		"orders.eu-1_placed":                     "orders.eu-1_placed",
		"tenant@eu":                              "tenant@eu",
		"/":                                      "/",
		"/hook/p4ss":                             "/*****",
		"//host/p4ss":                            "/*****",
		"https://host":                           "https://host",
		"https://host/":                          "https://host/",
		"https://host:8443/hook/p4ss":            "https://host:8443/*****",
		"https://host?p4ss":                      "https://host/*****",
		"https://host/#p4ss":                     "https://host/*****",
		"https://me:p4ss@host/?code=p4ss":        "https://*****@host/*****",
		"HTTPS://p4ss@host":                      "https://*****@host",
		"https://me:p4/ss@host":                  "https://*****",
		"https://me:p4%zzss@host/":               "https://*****",
		"p4ss://":                                "*****",
		"me:p4ss@host/hook":                      "*****",
		"host/hook?token=p4ss":                   "*****",
		"mailto:p4ss@host":                       "*****",
		"amqp://me:p4ss@host:5672/vhost":         "amqp://*****@host:5672/*****",
		"a://b://p4ss":                           "a://b:/*****",
		"https://[::1]:80/p4ss":                  "https://[::1]:80/*****",
		"https://host/%2e%2e/p4ss?sig=p4ss#p4ss": "https://host/*****",
	} {
		got := outbox.DestinationName(destination)
		if got != want {
			t.Errorf("%q is named %q, want %q", destination, got, want)
		}
		if again := outbox.DestinationName(got); again != got {
			t.Errorf("%q is named %q", got, again)
		}
	}
}

func FuzzDestinationName(f *testing.F) {
	for _, s := range []string{"https://me:p4ss@host/hook?a=b#c", "/a/b", "orders", "a:b@c"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := outbox.DestinationName(s)
		if again := outbox.DestinationName(got); again != got {
			t.Errorf("%q is named %q, and that %q", s, got, again)
		}
	})
}

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
