package console

import (
	"net/http"
	"net/url"
	"strings"
)

// one is the address of the page of something that has an id.
func one(page, id string) string { return page + "?" + values("id", id).Encode() }

// idOf is the id of what such a page is about.
func idOf(r *http.Request) string { return r.URL.Query().Get("id") }

// pathSegment is a text as a part of a path of the API, also one that means
// something else there: . and .. are only themselves when they are escaped.
func pathSegment(text string) string {
	if strings.Trim(text, ".") == "" {
		return strings.ReplaceAll(text, ".", "%2E")
	}
	return url.PathEscape(text)
}
