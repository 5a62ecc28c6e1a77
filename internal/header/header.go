package header

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// Encode returns the JSON object that a store keeps for the headers, or nil for
// none. It refuses headers that would not decode to the same value.
func Encode(h map[string]string, limit int) ([]byte, error) {
	if len(h) == 0 {
		return nil, nil
	}
	for k, v := range h {
		if k == "" {
			return nil, fmt.Errorf("a header has an empty name: name it")
		}
		if !utf8.ValidString(k) || !utf8.ValidString(v) {
			return nil, fmt.Errorf("header %q is not valid UTF-8: encode it, for example as base64", k)
		}
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(h); err != nil {
		return nil, err
	}
	out := bytes.TrimRight(b.Bytes(), "\n")
	if len(out) > limit {
		return nil, fmt.Errorf("the headers have %d bytes as JSON, at most %d are allowed: move the data into the payload", len(out), limit)
	}
	return out, nil
}

// Decode reads what [Encode] or another program's INSERT stored. Empty text,
// JSON null and an empty object mean no headers.
func Decode(text []byte) (map[string]string, error) {
	if len(text) == 0 {
		return nil, nil
	}
	var h map[string]string
	if err := json.Unmarshal(text, &h); err != nil {
		return nil, fmt.Errorf("headers are not a JSON object of strings: %w", err)
	}
	if len(h) == 0 {
		return nil, nil
	}
	return h, nil
}
