package driver_test

import (
	"maps"
	"testing"

	"github.com/sendoff-go/outbox/driver"
)

func TestHeadersComeBackAsTheyWere(t *testing.T) {
	for _, h := range []map[string]string{
		{"a": "b"},
		{"quotes": `"'\`, `"`: ""},
		{"control": "\x00\x01\n\r\t\x7f", "\x00": "nul"},
		{"🙂": "👩‍👩‍👧", "é": "e\u0301", "sep": "\u2028\u2029"},
		{"html": "<&>", "A": "1", "a": "2"},
	} {
		text, err := driver.EncodeHeaders(h)
		if err != nil {
			t.Fatal(err)
		}
		got, err := driver.DecodeHeaders(text)
		if err != nil || !maps.Equal(got, h) {
			t.Errorf("%q came back as %q (error %v)", h, got, err)
		}
	}
}

func TestNoHeadersAreNothing(t *testing.T) {
	for _, h := range []map[string]string{nil, {}} {
		if text, err := driver.EncodeHeaders(h); text != nil || err != nil {
			t.Errorf("%v encoded as %q, error %v", h, text, err)
		}
	}
	for _, text := range []string{"", "null", "{}", " {} "} {
		if h, err := driver.DecodeHeaders([]byte(text)); h != nil || err != nil {
			t.Errorf("%q decoded as %v, error %v", text, h, err)
		}
	}
}

func TestHeadersThatAreNoObjectOfStringsAreRefused(t *testing.T) {
	for _, text := range []string{"[]", `{"a":1}`, `{"a":["b"]}`, `"a"`, "1", "{", `{"a":{}}`, "true"} {
		if h, err := driver.DecodeHeaders([]byte(text)); err == nil {
			t.Errorf("%s decoded as %v", text, h)
		}
	}
}

func FuzzHeaders(f *testing.F) {
	f.Add("a", "b", []byte(`{"a":"b"}`))
	f.Add("\x00", "\xff", []byte(`{"a":null}`))
	f.Add("🙂", "\u2028", []byte(`{"a":"\ud800"}`))
	f.Fuzz(func(t *testing.T, k, v string, text []byte) {
		h := map[string]string{k: v, "fixed": v}
		if encoded, err := driver.EncodeHeaders(h); err == nil {
			got, err := driver.DecodeHeaders(encoded)
			if err != nil || !maps.Equal(got, h) {
				t.Errorf("%q came back as %q (error %v)", h, got, err)
			}
		}
		decoded, err := driver.DecodeHeaders(text)
		if err != nil {
			return
		}
		encoded, err := driver.EncodeHeaders(decoded)
		if err != nil {
			return // an empty name: nobody here writes it, and others may
		}
		if again, err := driver.DecodeHeaders(encoded); err != nil || !maps.Equal(again, decoded) {
			t.Errorf("%q came back as %q (error %v)", decoded, again, err)
		}
	})
}
