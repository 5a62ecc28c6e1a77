package console

import (
	"errors"
	"html/template"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"time"
)

// listFilter is what the address of a list asks for, under the names of the API.
type listFilter struct {
	values url.Values
	times  []string // which of them are times
}

func listFilterOf(q url.Values, texts, times []string) listFilter {
	f := listFilter{url.Values{}, times}
	for _, name := range slices.Concat(texts, times) {
		if text := q.Get(name); text != "" {
			f.values.Set(name, text)
		}
	}
	return f
}

// Get is the value of a condition; "" for none.
func (f listFilter) Get(name string) string { return f.values.Get(name) }

// Any reports whether it leaves out anything.
func (f listFilter) Any() bool { return len(f.values) > 0 }

// Query is that of the same list from its start.
func (f listFilter) Query() template.URL { return encoded(f.values) }

// With is the query of another page of the same list.
func (f listFilter) With(name, value string) template.URL {
	q := maps.Clone(f.values)
	q.Set(name, value)
	return encoded(q)
}

// Field is a field of a form that has a time, or what cannot be read of it.
func (f listFilter) Field(name string) string {
	at, err := parseTime(f.Get(name))
	if err != nil || at.IsZero() {
		return f.Get(name)
	}
	return at.UTC().Format("2006-01-02T15:04:05")
}

// api is the query of the API.
func (f listFilter) api(pairs ...string) (url.Values, error) {
	q := maps.Clone(f.values)
	for _, name := range f.times {
		at, err := parseTime(f.Get(name))
		if err != nil {
			return nil, err
		}
		if !at.IsZero() {
			q.Set(name, at.Format(time.RFC3339Nano))
		}
	}
	maps.Copy(q, values(pairs...))
	return q, nil
}

// correctable lets a page with a filter that is wrong be shown, so that it can be
// put right. Other errors it returns.
func (v *view) correctable(err error) error {
	var no *refusal
	if errors.As(err, &no) && no.status < http.StatusInternalServerError && no.status != http.StatusTooManyRequests {
		v.Problem, v.Status, v.NotLive = no.detail, no.status, true
		return nil
	}
	return err
}
