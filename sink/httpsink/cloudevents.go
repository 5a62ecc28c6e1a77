package httpsink

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

const structuredType = "application/cloudevents+json; charset=utf-8"

type attribute struct{ name, value string }

// attributes returns the CloudEvents 1.0 attributes that have a value.
// CloudEvents allows only lower-case letters and digits in names of extensions.
func attributes(m *outbox.Message, source string) []attribute {
	e := &m.Event
	all := append(make([]attribute, 0, 11),
		attribute{"specversion", "1.0"}, attribute{"id", e.ID}, attribute{"source", source}, attribute{"type", e.Type})
	if !e.OccurredAt.IsZero() {
		all = append(all, attribute{"time", e.OccurredAt.UTC().Format(time.RFC3339Nano)})
	}
	for _, a := range [...]attribute{
		{"subject", e.AggregateID}, {"partitionkey", m.Key}, {"aggregatetype", e.AggregateType},
		{"tenantid", e.TenantID}, {"correlationid", e.CorrelationID},
		{driver.HeaderTraceParent, m.Headers[driver.HeaderTraceParent]},
		{driver.HeaderTraceState, m.Headers[driver.HeaderTraceState]},
	} {
		if a.value != "" {
			all = append(all, a)
		}
	}
	return all
}

func contentType(m *outbox.Message) string {
	for name, value := range m.Headers {
		if strings.EqualFold(name, "content-type") {
			return value
		}
	}
	if m.Event.JSON != nil {
		return "application/json"
	}
	return "application/octet-stream"
}

// binary adds the attributes as headers.
func binary(header http.Header, m *outbox.Message, source string) {
	for _, a := range attributes(m, source) {
		header[http.CanonicalHeaderKey("ce-"+a.name)] = []string{escape(a.value)}
	}
}

// escape applies the percent-encoding that the HTTP binding requires.
func escape(s string) string {
	plain := func(c byte) bool { return c > ' ' && c < 0x7f && c != '"' && c != '%' }
	i := 0
	for i < len(s) && plain(s[i]) {
		i++
	}
	if i == len(s) {
		return s
	}
	var b strings.Builder
	b.WriteString(s[:i])
	for ; i < len(s); i++ {
		if plain(s[i]) {
			b.WriteByte(s[i])
		} else {
			fmt.Fprintf(&b, "%%%02X", s[i])
		}
	}
	return b.String()
}

func unescape(s string) string {
	if out, err := url.PathUnescape(s); err == nil {
		return out
	}
	return s
}

// structured returns the event as one JSON object. A payload that would not
// survive in it byte for byte is sent as base64.
func structured(m *outbox.Message, source string) []byte {
	payload := m.Payload()
	b := make([]byte, 0, len(payload)*4/3+512)
	for i, a := range attributes(m, source) {
		b = append(b, "{,"[min(i, 1)])
		b = appendField(b, a.name, a.value)
	}
	b = append(b, ',')
	b = appendField(b, "datacontenttype", contentType(m))
	if m.Event.JSON != nil && json.Valid(payload) && len(bytes.TrimSpace(payload)) == len(payload) {
		b = append(b, `,"data":`...)
		b = append(b, payload...)
	} else {
		b = append(b, `,"data_base64":"`...)
		b = base64.StdEncoding.AppendEncode(b, payload)
		b = append(b, '"')
	}
	return append(b, '}')
}

func appendField(b []byte, name, value string) []byte {
	b = append(b, '"')
	b = append(b, name...)
	b = append(b, '"', ':')
	text, _ := json.Marshal(value) // a string can always be encoded
	return append(b, text...)
}
