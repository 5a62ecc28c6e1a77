package console

import (
	"net/http"
	"net/url"
	"time"

	"github.com/sendoff-go/outbox/admin"
)

// letterFilter narrows dead letters. Pages have it in their address, under the
// names of the API.
type letterFilter struct {
	Type, Destination, Group, Key, Tenant, Error, Payload string
	After, Before                                         time.Time // of the death
	Resolved                                              bool
}

// texts are the fields that are texts, by name.
func (f *letterFilter) texts() map[string]*string {
	return map[string]*string{
		"type": &f.Type, "destination": &f.Destination, "group": &f.Group, "key": &f.Key,
		"tenant": &f.Tenant, "error": &f.Error, "payload": &f.Payload,
	}
}

func (f *letterFilter) times() map[string]*time.Time {
	return map[string]*time.Time{"died_after": &f.After, "died_before": &f.Before}
}

// letterFilterOf reads a filter. What can be read of a wrong one is kept.
func letterFilterOf(q url.Values) (f letterFilter, err error) {
	for name, to := range f.texts() {
		*to = q.Get(name)
	}
	for name, to := range f.times() {
		at, e := parseTime(q.Get(name))
		if e != nil {
			err = e
		}
		*to = at
	}
	f.Resolved = q.Get("resolved") != ""
	return f, err
}

// values are the parameters that letterFilterOf and the API read.
func (f letterFilter) values() url.Values {
	v := url.Values{}
	for name, text := range f.texts() {
		if *text != "" {
			v.Set(name, *text)
		}
	}
	for name, at := range f.times() {
		if !at.IsZero() {
			v.Set(name, at.Format(time.RFC3339Nano))
		}
	}
	if f.Resolved {
		v.Set("resolved", "true")
	}
	return v
}

// Narrows reports whether it leaves out anything but what is resolved or open.
func (f letterFilter) Narrows() bool { return f.open() != (letterFilter{}) }

// More reports whether it has a condition that few need.
func (f letterFilter) More() bool {
	return f.Key != "" || f.Tenant != "" || f.Group != "" || !f.After.IsZero() || !f.Before.IsZero()
}

func (f letterFilter) open() letterFilter {
	f.Resolved = false
	return f
}

// job is the filter of a job for the same letters, which are open.
func (f letterFilter) job() *admin.Filter {
	out := &admin.Filter{Type: f.Type, Error: f.Error, Group: f.Group, Destination: f.Destination, Payload: f.Payload, Tenant: f.Tenant, Key: f.Key}
	if !f.After.IsZero() {
		out.After = &f.After
	}
	if !f.Before.IsZero() {
		out.Before = &f.Before
	}
	return out
}

// Field is a field of a form that has a time.
func (f letterFilter) Field(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.UTC().Format("2006-01-02T15:04:05")
}

// parseTime reads a time of an address: as the API has it, or in UTC as the fields
// of forms have it. An empty text is the zero time.
func parseTime(text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02"} {
		if at, err := time.Parse(layout, text); err == nil {
			return at.UTC(), nil
		}
	}
	return time.Time{}, &refusal{http.StatusUnprocessableEntity, "A time is not readable: write it as 2006-01-02 15:04, in UTC."}
}
