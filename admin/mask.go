package admin

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// hidden stands for a value that is masked.
const hidden = "***"

// mask says which fields of payloads are masked.
type mask struct {
	names map[string]bool // in lower case, wherever they are
	paths [][]string      // in lower case, from the root; * is any field
}

// CheckMask says what is wrong with a pattern of Config.Mask.
func CheckMask(pattern string) error {
	_, err := newMask([]string{pattern})
	return err
}

// newMask reads patterns. It returns nil if there are none.
func newMask(patterns []string) (*mask, error) {
	if len(patterns) == 0 {
		return nil, nil
	}
	m := &mask{names: map[string]bool{}}
	for _, p := range patterns {
		steps, rooted := strings.CutPrefix(strings.ToLower(p), "$.")
		steps = strings.ReplaceAll(steps, "[*]", "") // elements of arrays are passed through anyway
		path := strings.Split(steps, ".")
		switch {
		case slices.Contains(path, ""):
			return nil, fmt.Errorf("admin: the mask %q has an empty name: write password, or $.card.number", p)
		case strings.ContainsAny(steps, "[]$"), !rooted && (len(path) > 1 || steps == "*"):
			return nil, fmt.Errorf("admin: the mask %q is neither the name of a field nor a path: write password, or $.card.number; arrays are passed through", p)
		case rooted:
			m.paths = append(m.paths, path)
		default:
			m.names[steps] = true
		}
	}
	return m, nil
}

// hides reports whether the field at a path is masked.
func (m *mask) hides(path []string) bool {
	if m.names[path[len(path)-1]] {
		return true
	}
	return slices.ContainsFunc(m.paths, func(p []string) bool {
		return slices.EqualFunc(p, path, func(want, got string) bool { return want == "*" || want == got })
	})
}

// shown is what the person may see of a letter: the letter itself, or a copy
// with masked fields. Every answer with a payload or headers is made of it.
func (a *api) shown(ctx context.Context, l *driver.DeadLetter) *driver.DeadLetter {
	if a.mask == nil || personOf(ctx).may(Admin) {
		return l
	}
	out := *l
	out.Event = a.masked(l.Event)
	return &out
}

// masked is a copy of an event with masked fields.
func (a *api) masked(e outbox.Event) outbox.Event {
	text, err := a.mask.text(e.JSON)
	if err != nil { // not JSON, and a field cannot be found in it
		text = []byte(`"` + hidden + `"`)
	}
	e.JSON, e.Bytes = text, nil
	e.Headers = maps.Clone(e.Headers)
	for name := range e.Headers {
		if a.mask.names[strings.ToLower(name)] {
			e.Headers[name] = hidden
		}
	}
	return e
}

var errNotJSON = errors.New("not JSON")

// text masks the fields of a JSON text, and leaves the rest as it is written.
func (m *mask) text(src []byte) ([]byte, error) { return m.textAt(nil, src) }

// textAt masks the fields of a JSON text that stands at a path.
func (m *mask) textAt(path []string, src []byte) ([]byte, error) {
	if !json.Valid(src) {
		return nil, errNotJSON
	}
	path = slices.Clip(path) // of fields; an array has no part in it
	var out bytes.Buffer
	var arrays []bool // those that are open: whether it is an array
	key, done := false, int64(0)
	d := json.NewDecoder(bytes.NewReader(src))
	d.UseNumber()     // it may have more digits than a float64
	leave := func() { // a value has ended
		if key = len(arrays) > 0 && !arrays[len(arrays)-1]; key {
			path = path[:len(path)-1]
		}
	}
	for {
		last := d.InputOffset()
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			out.Write(src[done:])
			return out.Bytes(), nil
		}
		if err != nil {
			return nil, err
		}
		delim, _ := token.(json.Delim)
		name, _ := token.(string)
		switch {
		case delim == '{' || delim == '[':
			arrays = append(arrays, delim == '[')
			key = delim == '{'
		case delim != 0:
			arrays = arrays[:len(arrays)-1]
			leave()
		case !key:
			if m.hidesIn(path, name) {
				out.Write(src[done : last+int64(bytes.IndexByte(src[last:], '"'))])
				out.WriteString(`"` + hidden + `"`)
				done = d.InputOffset()
			}
			leave()
		default:
			path, key = append(path, strings.ToLower(name)), false
			if !m.hides(path) {
				continue
			}
			var value json.RawMessage
			if err := d.Decode(&value); err != nil {
				return nil, err
			}
			end := d.InputOffset()
			out.Write(src[done : end-int64(len(value))])
			out.WriteString(`"` + hidden + `"`)
			done = end
			leave()
		}
	}
}

// hidesIn reports whether a text is JSON itself, in which a field is masked: some
// programs encode twice.
func (m *mask) hidesIn(path []string, text string) bool {
	if !strings.ContainsAny(text, `{\`) { // a { may be written as \u007b
		return false
	}
	masked, err := m.textAt(path, []byte(text))
	return err == nil && string(masked) != text
}
