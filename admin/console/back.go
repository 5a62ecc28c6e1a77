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

// With is this page relative to the top, with one parameter of its address changed;
// "" leaves it out.
func (v *view) With(name, value string) template.URL {
	path, query, _ := strings.Cut(v.Self(), "?")
	q, _ := url.ParseQuery(query)
	if q.Del(name); value != "" {
		q.Set(name, value)
	}
	if len(q) == 0 {
		return template.URL(path) //nolint:gosec // it is the path of a request, without a host
	}
	return template.URL(path + "?" + q.Encode()) //nolint:gosec // likewise
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
