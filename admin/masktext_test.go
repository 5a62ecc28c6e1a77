package admin

import (
	"encoding/json"
	"strings"
	"testing"
)

func FuzzAMaskLeavesNoMaskedValue(f *testing.F) {
	f.Add(`{"a":[{"pin":1}],"b":{"pin":"x"}}`)
	f.Add(`[{"\u0070in":{}},null]`)
	f.Add(`["\"\\u007b\\\"pin\\\":1}\"","{\"pin\":1}","\"{\\\"pin\\\":1}\""]`)
	m, err := newMask([]string{"pin"})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, payload string) {
		text, err := m.text([]byte(payload))
		if err != nil {
			if json.Valid([]byte(payload)) {
				t.Errorf("%q: %v", payload, err)
			}
			return
		}
		var v any
		if err := json.Unmarshal(text, &v); err != nil && json.Unmarshal([]byte(payload), &v) == nil {
			t.Errorf("%q became %q: %v", payload, text, err)
		}
		if leaks(v) {
			t.Errorf("%q became %q", payload, text)
		}
	})
}

func leaks(v any) bool {
	switch v := v.(type) {
	case string:
		var inner any
		return json.Unmarshal([]byte(v), &inner) == nil && leaks(inner)
	case []any:
		for _, e := range v {
			if leaks(e) {
				return true
			}
		}
	case map[string]any:
		for name, e := range v {
			if strings.ToLower(name) == "pin" && e != "***" || leaks(e) {
				return true
			}
		}
	}
	return false
}
