package httpsink

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"html"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/sendoff-go/outbox/driver"
)

const hidden = "*****"

// minHidden is the length of the shortest text that is hidden. A shorter one
// protects nothing, and an error without its short words says nothing.
const minHidden = 4

// shown returns a URL without its secrets.
func shown(u *url.URL) string { return driver.DestinationName(u.String()) }

// scrub hides the secrets of the request, and of those that were redirected to
// it, in a text from the server. Servers often repeat the request in an error,
// and errors are stored, logged and shown.
func scrub(text string, req *http.Request) string {
	for _, s := range secretsOf(req) {
		text = strings.ReplaceAll(text, s, hidden)
	}
	return text
}

// secretsOf returns those secrets, the longest first.
func secretsOf(req *http.Request) []string {
	var all []string
	for {
		for _, s := range append(inURL(req.URL), inHeader(req)...) {
			if len(s) >= minHidden {
				all = append(all, spellings(s)...)
			}
		}
		if req.Response == nil || req.Response.Request == nil {
			break
		}
		req = req.Response.Request
	}
	slices.SortFunc(all, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b)) })
	return slices.Compact(all)
}

func inURL(u *url.URL) []string {
	all := []string{u.RequestURI(), u.Path, u.EscapedPath(), u.RawQuery}
	all = append(all, strings.Split(u.Path, "/")...)
	all = append(all, strings.Split(u.EscapedPath(), "/")...)
	for pair := range strings.SplitSeq(u.RawQuery, "&") {
		name, value, found := strings.Cut(pair, "=")
		if !found { // a parameter without a value
			value = name
		}
		plain, _ := url.QueryUnescape(value)
		all = append(all, value, plain)
	}
	if u.User != nil {
		password, _ := u.User.Password()
		// The user may be a secret too: some services take their API key as one.
		all = append(all, u.User.Username(), password, base64.StdEncoding.EncodeToString([]byte(u.User.Username()+":"+password)))
	}
	return all
}

func inHeader(req *http.Request) []string {
	user, password, _ := req.BasicAuth()
	all := []string{user, password}
	for name, values := range req.Header {
		if plainHeader[name] || strings.HasPrefix(name, "Ce-") || strings.HasPrefix(name, "Outbox_") {
			continue
		}
		for _, v := range values {
			_, token, _ := strings.Cut(v, " ") // after Bearer or Basic
			all = append(all, v, token)
		}
	}
	return all
}

// spellings returns the ways in which a server may encode a text that it
// repeats.
func spellings(s string) []string {
	quoted, _ := json.Marshal(s) // a string can always be encoded
	within := func(quoted string) string { return quoted[1 : len(quoted)-1] }
	return []string{
		s, url.QueryEscape(s), url.PathEscape(s), html.EscapeString(s), within(string(quoted)), within(strconv.Quote(s)),
	}
}

// plainHeader lists headers that hold no secret and are useful in an error.
var plainHeader = map[string]bool{
	"Content-Type": true, "User-Agent": true, "Webhook-Id": true, "Webhook-Timestamp": true, "Traceparent": true, "Tracestate": true,
}

// scrubbed is an error whose text is scrubbed: the client quotes answers that
// it cannot parse.
type scrubbed struct {
	err  error
	text string
}

func (e *scrubbed) Error() string { return e.text }
func (e *scrubbed) Unwrap() error { return e.err }
