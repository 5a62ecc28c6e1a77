package driver

import (
	"strings"

	"github.com/sendoff-go/outbox/internal/masked"
)

// DestinationName returns the form of a destination that is safe to show in names
// of targets, logs, health reports, stored errors and printed configurations. It
// shows a topic, exchange, subject or stream as it is. Of a URL it shows only the
// scheme and the host, and of a path only that it is one: users, passwords, paths
// and parameters may be secrets, such as those of a chat's webhooks, and more
// people can read logs and health reports than may send.
//
// A URL without a scheme may contain a secret as well. So DestinationName shows a
// text with a slash whose first part looks like a host (host.example/...,
// host:8080/..., 10.0.0.1/...) as that host, and hides a text with a user before
// a host, a password, parameters, or a scheme without its slashes.
func DestinationName(destination string) string { return masked.Name(destination) }

// DestinationError returns err with the destination in its text replaced by its
// [DestinationName]. Sinks need it because servers and their clients quote what
// they were asked for. What err wraps does not change. DestinationError(nil, d)
// is nil.
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
