package console

import (
	"net/url"
	"strings"
)

// Trace is where a trace is found, or "" if that is not known.
func (v *view) Trace(id string) string {
	if v.TraceURL == "" || id == "" {
		return ""
	}
	// A space is %20 in a path and in a query.
	text := strings.ReplaceAll(url.QueryEscape(id), "+", "%20")
	return strings.ReplaceAll(v.TraceURL, "{trace}", text)
}
