package httpsink

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/sendoff-go/outbox"
)

// encode makes the headers and the body of a request. The body is a copy: the
// client may still read it after the request has failed.
func (s *Sink) encode(m *outbox.Message) (http.Header, []byte, error) {
	header := make(http.Header, len(m.Headers)+len(s.cfg.Headers)+12)
	for name, value := range s.cfg.Headers {
		header[http.CanonicalHeaderKey(name)] = []string{value}
	}
	if err := addHeaders(header, m.Headers); err != nil {
		return nil, nil, err
	}
	var body []byte
	if s.cfg.Mode == Structured {
		body = structured(m, s.cfg.Source)
		header["Content-Type"] = []string{structuredType}
	} else {
		body = slices.Clone(m.Payload())
		header["Content-Type"] = []string{contentType(m)}
		binary(header, m, s.cfg.Source)
	}
	header["User-Agent"] = []string{"outbox"}
	return header, body, s.sign(header, m.Event.ID, body)
}

// own lists the headers that the request or the sink itself sets. An event that
// set one would contradict it.
var own = map[string]bool{
	"Host": true, "Content-Length": true, "Transfer-Encoding": true, "Connection": true, "Trailer": true, "Te": true,
	"Upgrade": true, "Expect": true, "Keep-Alive": true, "Proxy-Connection": true, "Proxy-Authorization": true, "User-Agent": true,
	"Webhook-Id": true, "Webhook-Timestamp": true, "Webhook-Signature": true, "Outbox-Signature": true,
	"Ce-Specversion": true, "Ce-Id": true, "Ce-Type": true, "Ce-Source": true, "Ce-Time": true, "Ce-Subject": true,
}

// authorizes refuses an event's own credentials if the sink has some: writers
// of events must not choose the sink's identity.
func (s *Sink) authorizes(u *url.URL, m *outbox.Message) error {
	if u.User == nil && s.cfg.Username == "" && s.cfg.Password == "" {
		return nil
	}
	for name := range m.Headers {
		if strings.EqualFold(name, "Authorization") {
			return fmt.Errorf("header %q is already set by the sink for every request: rename it", name)
		}
	}
	return nil
}

func addHeaders(to http.Header, headers map[string]string) error {
	seen := make(map[string]bool, len(headers))
	for name, value := range headers {
		if err := checkHeader(name, value); err != nil {
			return err
		}
		key := http.CanonicalHeaderKey(name)
		switch {
		case own[key]:
			return fmt.Errorf("header %q is reserved for the request itself: rename it", name)
		case to[key] != nil && !seen[key] && key != "Content-Type":
			return fmt.Errorf("header %q is already set by the sink for every request: rename it", name)
		case seen[key]:
			return fmt.Errorf("header %q is set twice, in different cases, which HTTP does not distinguish: rename one", name)
		}
		seen[key] = true
		to[key] = []string{value}
	}
	return nil
}

// checkHeader refuses what would not arrive unchanged.
func checkHeader(name, value string) error {
	for i := range len(name) {
		c := name[i]
		letter := 'a' <= c|0x20 && c|0x20 <= 'z'
		if !letter && ('0' > c || c > '9') && strings.IndexByte("!#$%&'*+-.^_`|~", c) < 0 {
			return fmt.Errorf("the name of header %q has a character that HTTP does not allow: use letters, digits, - and _", name)
		}
	}
	if name == "" {
		return errors.New("a header has no name")
	}
	for i := range len(value) {
		if c := value[i]; c < ' ' && c != '\t' || c == 0x7f {
			return fmt.Errorf("header %q has the control character 0x%02x, which HTTP does not allow: encode the value", name, c)
		}
	}
	if strings.Trim(value, " \t") != value {
		return fmt.Errorf("header %q begins or ends with a space, which HTTP strips: encode the value", name)
	}
	return nil
}
