package dlq_test

import (
	"errors"
	"testing"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/dlq"
)

func TestAConditionMatchesAFieldOfThePayload(t *testing.T) {
	const payload = `{"customer":{"id":4711,"name":"Ann = \"Bo\"","vip":true,"gone":null},"items":[{"sku":"a"},{"sku":"b","tags":["x","y"]}],"n":1.50,"big":12345678901234567890}`
	for condition, want := range map[string]bool{
		"":                           true,
		"$.customer.id=4711":         true,
		"$.customer.id=471":          false,
		`$.customer.name=Ann = "Bo"`: true,
		"$.customer.vip=true":        true,
		"$.customer.gone=null":       true,
		"$.customer.missing=null":    false,
		"$.items.sku=b":              true,
		"$.items.sku=c":              false,
		"$.items.tags=y":             true,
		"$.n=1.50":                   true,
		"$.big=12345678901234567890": true,
		"$.customer=4711":            false,
		"$.customer.id.more=4711":    false,
		"$.Customer.id=4711":         false,
	} {
		m, err := dlq.ParsePayloadMatch(condition)
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Matches(&outbox.Event{JSON: []byte(payload)}); got != want {
			t.Errorf("%s: %t, want %t", condition, got, want)
		}
		if bytes := m.Matches(&outbox.Event{Bytes: []byte(payload)}); bytes != (condition == "") {
			t.Errorf("%s matches bytes: %t", condition, bytes)
		}
	}
	escaped, err := dlq.ParsePayloadMatch("$.name=Ann & Bo")
	if err != nil {
		t.Fatal(err)
	}
	if !escaped.Matches(&outbox.Event{JSON: []byte(`{"name":"\u0041nn \u0026 Bo"}`)}) {
		t.Error("a value that is written with escapes does not match")
	}
	for _, text := range []string{"x", "$.x", "x=1", "$.=1", "$..x=1", "=1", "$=1"} {
		if _, err := dlq.ParsePayloadMatch(text); !errors.Is(err, dlq.ErrPayloadMatch) {
			t.Errorf("%q: error %v", text, err)
		}
	}
}
