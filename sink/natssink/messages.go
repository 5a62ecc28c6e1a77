package natssink

import (
	"fmt"
	"strings"

	"github.com/nats-io/nats.go"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// newMessages makes the messages of a batch, and an error for each that cannot
// be sent. They share one copy of all payloads, since the client may still read
// them after Send has returned.
func newMessages(batch []outbox.Message) ([]nats.Msg, []error) {
	size, headers := 0, 0
	for i := range batch {
		size += len(batch[i].Payload())
		headers += len(batch[i].Headers) + 1
	}
	slab := make([]byte, 0, size)
	values := make([]string, 0, headers)
	ms, errs := make([]nats.Msg, len(batch)), make([]error, len(batch))
	var ids messageIDs
	for i := range batch {
		m := &batch[i]
		if errs[i] = checkSubject(m.Destination); errs[i] != nil {
			continue
		}
		from := len(slab)
		slab = append(slab, m.Payload()...)
		h := make(nats.Header, len(m.Headers)+1)
		for name, value := range m.Headers {
			if errs[i] = checkHeader(name, value); errs[i] != nil {
				break
			}
			values = append(values, value)
			h[name] = values[len(values)-1 : len(values) : len(values)]
		}
		values = append(values, ids.of(m))
		h[nats.MsgIdHdr] = values[len(values)-1 : len(values) : len(values)]
		ms[i] = nats.Msg{Subject: m.Destination, Data: slab[from:len(slab):len(slab)], Header: h}
	}
	return ms, errs
}

// checkSubject refuses invalid subjects. Those that begin with a dollar sign
// belong to the server: a message there is a command.
func checkSubject(subject string) error {
	bad := subject == "" || subject[0] == '$' || strings.ContainsAny(subject, " \t\r\n\x00*>")
	for token := range strings.SplitSeq(subject, ".") {
		bad = bad || token == ""
	}
	if bad {
		return outbox.Permanent(fmt.Errorf("natssink: %q is not a valid subject for an event (words joined by dots, without spaces, * and >, and not beginning with $): route the event with outbox.To", driver.DestinationName(subject)))
	}
	return nil
}

// checkHeader refuses what NATS would change in transit.
func checkHeader(name, value string) error {
	switch {
	case name == "" || strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r == ':' || r > '~' }):
		return outbox.Permanent(fmt.Errorf("natssink: NATS cannot carry a header named %q: use printable ASCII without spaces and colons", name))
	case strings.HasPrefix(strings.ToLower(name), "nats-"):
		return outbox.Permanent(fmt.Errorf("natssink: header %q would be a command to the server: rename it", name))
	case strings.ContainsAny(value, "\r\n"), strings.Trim(value, " \t") != value:
		return outbox.Permanent(fmt.Errorf("natssink: NATS cannot carry the value of header %q, which has a line break, or a leading or trailing space: encode it, for example as base64", name))
	}
	return nil
}
