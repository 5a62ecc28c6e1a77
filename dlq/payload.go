package dlq

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sendoff-go/outbox"
)

// PayloadMatch is a condition on a JSON payload: the field at a path has a value.
// Make one with [ParsePayloadMatch]. A nil PayloadMatch matches every event.
type PayloadMatch struct {
	path  []string
	value string
}

// ErrPayloadMatch says that a text is not a condition on a payload.
var ErrPayloadMatch = errors.New("write a path and a value, such as $.customer.id=4711")

// ParsePayloadMatch parses a condition such as $.customer.id=4711. A path goes
// through all elements of an array. Values are compared as text, strings without
// their quotes. An empty text gives a nil condition.
func ParsePayloadMatch(text string) (*PayloadMatch, error) {
	if text == "" {
		return nil, nil
	}
	path, value, found := strings.Cut(text, "=")
	steps, rooted := strings.CutPrefix(path, "$.")
	m := &PayloadMatch{path: strings.Split(steps, "."), value: value}
	if !found || !rooted || slices.Contains(m.path, "") {
		return nil, fmt.Errorf("dlq: %q is not a condition on a payload: %w", text, ErrPayloadMatch)
	}
	return m, nil
}

// Matches reports whether the payload of an event meets the condition.
func (m *PayloadMatch) Matches(e *outbox.Event) bool {
	if m == nil {
		return true
	}
	if !bytes.Contains(e.JSON, []byte(m.value)) && bytes.IndexByte(e.JSON, '\\') < 0 { // most do not match: they need not be decoded
		return false
	}
	d := json.NewDecoder(bytes.NewReader(e.JSON))
	d.UseNumber()
	var v any
	return e.JSON != nil && d.Decode(&v) == nil && has(v, m.path, m.value)
}

func has(v any, path []string, value string) bool {
	if all, ok := v.([]any); ok {
		return slices.ContainsFunc(all, func(one any) bool { return has(one, path, value) })
	}
	if len(path) > 0 {
		fields, _ := v.(map[string]any)
		next, there := fields[path[0]]
		return there && has(next, path[1:], value)
	}
	switch v := v.(type) {
	case nil:
		return value == "null"
	case map[string]any:
		return false
	case string:
		return v == value
	}
	return fmt.Sprint(v) == value
}
