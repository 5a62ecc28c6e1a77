package driver

import (
	"strings"

	"github.com/sendoff-go/outbox/internal/masked"
)

// DestinationName is what people are shown of a destination, in names of targets,
// logs, health, stored errors and printed configurations. The name of a topic,
// exchange, subject or stream is itself. Of a URL it is the scheme and the host,
// and of a path that it is one: users, passwords, paths and parameters may be
// secrets, such as those of a chat's webhooks, and those who read logs and health
// are more than those who may send.
//
// Whoever forgets the scheme of a URL has a secret in it all the same. So of a
// text with a slash whose first part looks like a host (host.example/...,
// host:8080/..., 10.0.0.1/...) the host is shown, and nothing of one that has a
// user before a host, a password, parameters, or a scheme without its slashes.
func DestinationName(destination string) string { return masked.Name(destination) }

// DestinationError is err with the destination in its text as [DestinationName]
// has it, for sinks: servers and their clients repeat what they were asked for.
// What err wraps stays what it was. DestinationError(nil, d) is nil.
func DestinationError(err error, destination string) error {
	if err == nil {
		return nil
	}
	name, text := masked.Name(destination), err.Error()
	if name == destination || !strings.Contains(text, destination) {
		return err
	}
	return &renamed{err, strings.ReplaceAll(text, destination, name)}
}

type renamed struct {
	err  error
	text string
}

func (e *renamed) Error() string { return e.text }
func (e *renamed) Unwrap() error { return e.err }
