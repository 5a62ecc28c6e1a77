package alert

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/sendoff-go/outbox/driver"
)

// Notifier tells people. An error means that they were not told: Notify is
// called again at the next interval, by this process or another. It is called
// by one goroutine at a time.
type Notifier interface {
	Notify(ctx context.Context, n Notification) error
}

// Kind is what happened to an alert.
type Kind string

// The kinds of notifications.
const (
	Raised   Kind = "raised"
	Repeated Kind = "repeated"
	Resolved Kind = "resolved"
)

// Notification is what people are told.
type Notification struct {
	// ID is the same when a notification is sent again after a failure.
	ID    string
	Kind  Kind
	Alert driver.Alert
}

func notificationOf(a driver.Alert) Notification {
	n := Notification{Kind: Raised, Alert: a}
	switch {
	case !a.Open():
		n.Kind = Resolved
	case a.Notices > 0:
		n.Kind = Repeated
	}
	n.ID = fmt.Sprintf("%s-%d-%s", a.ID, a.RaisedAt.UnixMilli(), n.Kind)
	if n.Kind == Repeated {
		n.ID += fmt.Sprintf("-%d", a.Notices)
	}
	return n
}

// Log returns a notifier that writes to a log: at level WARN while an alert is
// open, and at INFO when it is resolved. It is safe for concurrent use.
func Log(l *slog.Logger) Notifier { return logger{l} }

type logger struct{ log *slog.Logger }

// Notify implements [Notifier].
func (l logger) Notify(ctx context.Context, n Notification) error {
	level := slog.LevelWarn
	if n.Kind == Resolved {
		level = slog.LevelInfo
	}
	a := n.Alert
	l.log.Log(ctx, level, "outbox: alert "+string(n.Kind), "alert", a.ID, "rule", a.Rule, "subject", a.Subject,
		"severity", string(a.Severity), "text", a.Text, "raised_at", a.RaisedAt)
	return nil
}
