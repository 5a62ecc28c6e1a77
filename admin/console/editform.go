package console

import (
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"
	"unicode"
)

// headerLines writes headers as lines of a form, sorted: name: value. What would
// not come back is quoted as in JSON.
func headerLines(headers map[string]string) string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		value := headers[name]
		if strings.HasPrefix(value, `"`) || unsafeInLine(value) {
			value = inQuotes(value)
		}
		if name == "" || strings.ContainsAny(name, `":`) || unsafeInLine(name) {
			name = inQuotes(name)
		}
		out = append(out, name+": "+value)
	}
	return strings.Join(out, "\n")
}

// unsafeInLine reports whether a text does not survive in a line.
func unsafeInLine(text string) bool {
	return text != strings.TrimSpace(text) || strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' })
}

// inQuotes writes a string as JSON does.
func inQuotes(text string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a string can be encoded
	return strings.TrimSuffix(b.String(), "\n")
}

// parseHeaderLines reads what headerLines writes. No lines are no headers.
func parseHeaderLines(lang, text string) (map[string]string, error) {
	var out map[string]string
	for i, line := range strings.Split(text, "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		name, value, err := parseHeaderLine(strings.TrimSpace(line))
		if err != nil {
			return nil, wrong(lang, "Headers, line %d: write name: value, and quote as in JSON what has line breaks.", i+1)
		}
		if _, twice := out[name]; twice {
			return nil, wrong(lang, "Headers, line %d: this name is there twice.", i+1)
		}
		if out == nil {
			out = map[string]string{}
		}
		out[name] = value
	}
	return out, nil
}

var errHeaderLine = errors.New("not a header")

func parseHeaderLine(line string) (name, value string, err error) {
	if strings.HasPrefix(line, `"`) {
		d := json.NewDecoder(strings.NewReader(line))
		if err := d.Decode(&name); err != nil {
			return "", "", err
		}
		line = line[d.InputOffset():]
		if !strings.HasPrefix(strings.TrimSpace(line), ":") {
			return "", "", errHeaderLine
		}
		_, value, _ = strings.Cut(line, ":")
	} else {
		var found bool
		if name, value, found = strings.Cut(line, ":"); !found || strings.TrimSpace(name) == "" {
			return "", "", errHeaderLine
		}
		name = strings.TrimSpace(name)
	}
	value = strings.TrimSpace(value)
	if strings.HasPrefix(value, `"`) {
		err = json.Unmarshal([]byte(value), &value)
	}
	return name, value, err
}

// checkJSON says in which line a text stops being JSON.
func checkJSON(lang, text string) error {
	var v json.RawMessage
	err := json.Unmarshal([]byte(text), &v)
	var at *json.SyntaxError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &at):
		read := text[:min(max(int(at.Offset)-1, 0), len(text))]
		return wrong(lang, "The payload is not JSON, in line %d: %s.", 1+strings.Count(read, "\n"), at)
	}
	return wrong(lang, "The payload is not JSON.")
}

// wrong is a refusal in a language.
func wrong(lang, text string, args ...any) error {
	return &refusal{http.StatusUnprocessableEntity, translate(lang, text, args...)}
}

// wrapped breaks a long text into lines.
func wrapped(text string) string {
	var out []string
	for len(text) > 76 {
		out, text = append(out, text[:76]), text[76:]
	}
	return strings.Join(append(out, text), "\n")
}
