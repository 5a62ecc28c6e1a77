package dlq

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
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

// How much one call of Find or CountMatching reads to find payloads that match.
const (
	maxRead      = 2500
	maxReadBytes = 16 << 20
	readPage     = 100
)

// Find lists letters as the store's ListDead does, but only those whose payload
// matches. It reads a bounded number of letters, so a page may be short or empty
// and still have a next one.
func Find(ctx context.Context, s driver.DeadLetterStore, f driver.DeadFilter, m *PayloadMatch, after *driver.DeadCursor, limit int) (found []driver.DeadLetter, next *driver.DeadCursor, err error) {
	if m == nil {
		return s.ListDead(ctx, f, after, limit)
	}
	read, size := 0, 0
	for {
		page, next, err := s.ListDead(ctx, f, after, readPage)
		if err != nil {
			return nil, nil, err
		}
		for i := range page {
			l := &page[i]
			read, size = read+1, size+l.Event.Size()
			if m.Matches(&l.Event) {
				found = append(found, *l)
			}
			if last := i == len(page)-1; (len(found) == limit || size >= maxReadBytes) && (!last || next != nil) {
				return found, l.Cursor(), nil
			}
		}
		if after = next; next == nil || len(page) == 0 || read >= maxRead {
			return found, next, nil
		}
	}
}

// CountMatching counts letters as the store's CountDead does, but only those
// whose payload matches. It reads a bounded number of letters.
func CountMatching(ctx context.Context, s driver.DeadLetterStore, f driver.DeadFilter, m *PayloadMatch) (driver.Count, error) {
	if m == nil {
		return s.CountDead(ctx, f)
	}
	found, next, err := Find(ctx, s, f, m, nil, maxRead+1)
	return driver.Count{N: int64(len(found)), More: next != nil}, err
}
