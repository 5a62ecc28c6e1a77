package driver_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sendoff-go/outbox/driver"
)

func TestErrorsOfOneCauseHaveOneReason(t *testing.T) {
	for want, texts := range map[string][]string{
		`error: no customer "…"`:                         {`error: no customer "ann"`, `error: no customer ""`, "error: no customer `bob`"},
		"error: dial tcp #: connect: connection refused": {"error: dial tcp 127.0.0.1:9092: connect: connection refused", "error: dial tcp kafka-2:9093: connect: connection refused"},
		"error: order # is closed":                       {"error: order 4711 is closed", "error: order 0b8e7a6c-1f4e-4a52-8f0e-9ad6f9e60d21 is closed", "error: order ORD-2024-17 is closed"},
		"error: status 503: busy":                        {"error: status 503: busy", "error:\nstatus 503: busy\nmore"},
		"error: user # not found":                        {"error: user ann@example.com not found", "error: user bob@example.com not found"},
		"error: request # of \"…\"":                      {"error: request deadbeefcafe of “ann”", "error: request 0b8e of «bob»"},
		"x509: certificate # has expired":                {"x509: certificate 17:22 has expired", "x509: certificate 4711 has expired"},
		"panic: index out of range [#] with length #":    {"panic: index out of range [5] with length 3\n\ngoroutine 7 [running]:\nmain.go:17", "panic: index out of range [6] with length 2\n\nother"},
		"error: it doesn't fit, and can't":               {"error: it doesn't fit, and can't", "error:  it doesn't fit,\tand can't"},
		"error: POST #":                                  {"error: POST http://a:80/b?c=1 503", "error: POST http://a:81/b?c=2 504"},
		"":                                               {"", "\n"},
	} {
		for _, text := range texts {
			if got := driver.Reason(text); got != want {
				t.Errorf("%q has the reason %q, want %q", text, got, want)
			}
		}
	}
	if driver.Reason("refused by the gateway") == driver.Reason("refused by the bank") {
		t.Error("two causes have one reason")
	}
	if driver.Reason("POST: status 404") == driver.Reason("POST: status 500") {
		t.Error("two answers have one reason")
	}
}

func TestAReasonIsShortAndClean(t *testing.T) {
	for _, text := range []string{strings.Repeat("long ", 1000), strings.Repeat("語", 500), "a\xffb\x00c", strings.Repeat("'", 5000), strings.Repeat("1 ", 5000)} {
		got := driver.Reason(text)
		if n := utf8.RuneCountInString(got); n > driver.MaxReason || !utf8.ValidString(got) || strings.ContainsRune(got, 0) {
			t.Errorf("%.20q has a reason of %d characters: %q", text, n, got)
		}
		if driver.Reason(got) != got {
			t.Errorf("the reason of %q is %q", got, driver.Reason(got))
		}
	}
}

func TestAGroupIsNamedAfterLaneDestinationAndReason(t *testing.T) {
	a := driver.GroupID("order", "kafka", "no")
	if len(a) != 16 || a != driver.GroupID("order", "kafka", "no") {
		t.Errorf("named %q", a)
	}
	for _, other := range []string{driver.GroupID("orderkafka", "", "no"), driver.GroupID("order", "kafkano", ""), driver.GroupID("order", "nats", "no"), driver.GroupID("order", "kafka", "yes")} {
		if other == a {
			t.Error("two groups have one name")
		}
	}
}
