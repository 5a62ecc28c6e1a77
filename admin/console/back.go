package console

import (
	"html/template"
	"net/url"
	"strings"
)

// Self is this page relative to the top, without what an action has just done: to
// come back to it.
func (v *view) Self() string {
	path, query, _ := strings.Cut(v.Here, "?")
	q, _ := url.ParseQuery(query)
	for _, name := range []string{"live", "done", "n", "left", "gone"} {
		q.Del(name)
	}
	if len(q) == 0 {
		return path
	}
	return path + "?" + q.Encode()
}

// back is the page that a form names in the field to, or else another one.
func back(to, other string) string {
	if to = strings.TrimPrefix(within(to), "./"); to == "" {
		return other
	}
	return to
}

// encoded is the query of an address.
func encoded(v url.Values) template.URL {
	return template.URL("?" + v.Encode()) //nolint:gosec // it is encoded
}
