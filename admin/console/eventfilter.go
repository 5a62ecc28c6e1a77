package console

import (
	"html/template"
	"net/url"
	"time"
)

// eventFilter is what the address of the list of events asks for.
type eventFilter struct {
	Type, Key, Tenant, Status, Payload, Trace string
	Within                                    string // one of withins
	After, Before                             string // as a browser writes them, in UTC
}

// withins are the choices of how long ago an event was written.
var withins = []struct {
	Name, Text string
	span       time.Duration
}{
	{"15m", "last 15 minutes", 15 * time.Minute},
	{"1h", "last hour", time.Hour},
	{"24h", "last day", 24 * time.Hour},
	{"168h", "last 7 days", 7 * 24 * time.Hour},
}

func eventFilterOf(q url.Values) eventFilter {
	return eventFilter{q.Get("type"), q.Get("key"), q.Get("tenant"), q.Get("status"), q.Get("payload"), q.Get("trace"), q.Get("within"), q.Get("after"), q.Get("before")}
}

func (f eventFilter) values() url.Values {
	return values("type", f.Type, "key", f.Key, "tenant", f.Tenant, "status", f.Status, "payload", f.Payload, "trace", f.Trace,
		"within", f.Within, "after", f.After, "before", f.Before)
}

// With is the query of the same list with one thing changed.
func (f eventFilter) With(name, value string) template.URL {
	v := f.values()
	if v.Del(name); value != "" {
		v.Set(name, value)
	}
	return template.URL("?" + v.Encode()) //nolint:gosec // it is encoded
}

// Narrows reports whether it leaves out events of a status.
func (f eventFilter) Narrows() bool {
	f.Status = ""
	return f != eventFilter{}
}

// Any reports whether it leaves out any event.
func (f eventFilter) Any() bool { return f != eventFilter{} }

// query is that of the API.
func (f eventFilter) query(now time.Time) (url.Values, error) {
	q := values("type", f.Type, "key", f.Key, "tenant", f.Tenant, "status", f.Status, "payload", f.Payload, "trace", f.Trace)
	for _, w := range withins {
		if f.Within == w.Name {
			q.Set("written_after", now.Add(-w.span).UTC().Format(time.RFC3339))
		}
	}
	for name, text := range map[string]string{"written_after": f.After, "written_before": f.Before} {
		at, err := parseTime(text)
		if err != nil {
			return nil, err
		}
		if !at.IsZero() {
			q.Set(name, at.Format(time.RFC3339Nano))
		}
	}
	return q, nil
}
