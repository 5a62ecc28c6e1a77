package httpsink

import (
	"cmp"
	"encoding/base64"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/sendoff-go/outbox"
)

const hidden = "*****"

// Shorter texts are left alone: they are words, not secrets, and an error without
// its words says nothing.
const (
	minSecretText = 4
	minSecretWord = 8 // of a segment, a parameter or a header, which are seldom secrets
)

// shown is a URL as people may see it.
func shown(u *url.URL) string { return outbox.DestinationName(u.String()) }

// scrub hides in a text of the server what may be secret in the request. Servers
// like to tell in an error what they were asked, and errors are stored, logged
// and shown.
func scrub(text string, req *http.Request) string {
	for _, s := range secretsOf(req) {
		text = strings.ReplaceAll(text, s, hidden)
	}
	return text
}

// secretsOf are those texts, the longest first.
func secretsOf(req *http.Request) []string {
	var all []string
	add := func(least int, texts ...string) {
		for _, s := range texts {
			if len(s) >= least {
				all = append(all, s)
			}
		}
	}
	u := req.URL
	add(minSecretText, u.RequestURI(), u.Path, u.EscapedPath(), u.RawQuery)
	add(minSecretWord, strings.Split(u.Path, "/")...)
	add(minSecretWord, strings.Split(u.EscapedPath(), "/")...)
	for pair := range strings.SplitSeq(u.RawQuery, "&") {
		_, value, _ := strings.Cut(pair, "=")
		plain, _ := url.QueryUnescape(value)
		add(minSecretWord, value, plain)
	}
	if u.User != nil {
		password, _ := u.User.Password()
		add(minSecretText, password, base64.StdEncoding.EncodeToString([]byte(u.User.Username()+":"+password)))
	}
	if _, password, ok := req.BasicAuth(); ok {
		add(minSecretText, password)
	}
	for name, values := range req.Header {
		if plainHeader[name] || strings.HasPrefix(name, "Ce-") || strings.HasPrefix(name, "Outbox_") {
			continue
		}
		for _, v := range values {
			_, token, _ := strings.Cut(v, " ") // after Bearer or Basic
			add(minSecretWord, v, token)
		}
	}
	slices.SortFunc(all, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b)) })
	return slices.Compact(all)
}

// plainHeader are headers that hold no secret and are worth reading in an error.
var plainHeader = map[string]bool{
	"Content-Type": true, "User-Agent": true, "Webhook-Id": true, "Webhook-Timestamp": true, "Traceparent": true, "Tracestate": true,
}

// scrubbed is an error whose text is scrubbed: the client quotes answers that it
// cannot read.
type scrubbed struct {
	err  error
	text string
}

func (e *scrubbed) Error() string { return e.text }
func (e *scrubbed) Unwrap() error { return e.err }
