package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/cmd/internal/daemon/config"
	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/cmd/internal/doctor"
	"github.com/sendoff-go/outbox/driver"
)

// Diagnose makes the checks of everything that a configuration names besides
// its database: senders and their destinations, the admin address, the URL to
// listen on, the webhook of alerts, the collector of telemetry, the issuer of
// tokens, and certificates, which should last for longer than soon. It waits for
// no connection; its error is that of [New]. Call closeAll after the checks.
func Diagnose(c *config.Config, drivers []dburl.Driver, soon time.Duration) (checks []doctor.Check, closeAll func() error, err error) {
	d, err := New(c, Options{Drivers: drivers, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return nil, nil, err
	}
	checks = append(d.senderChecks(), d.destinationChecks()...)
	if url := c.Database.ListenURL; url != "" {
		checks = append(checks, doctor.Check{Name: "listen-url", Look: func(ctx context.Context) (doctor.Answer, error) {
			return reach(ctx, drivers, url)
		}})
	}
	if c.Admin.Addr != "" {
		checks = append(checks, doctor.Check{Name: "admin", Subject: c.Admin.Addr, Look: d.lookAtAdmin})
	}
	closeAll = func() error { return errors.Join(d.senders.close(), d.webhook.close()) }
	return slices.Concat(checks, d.reachChecks(), d.certificateChecks(soon)), closeAll, nil
}

// sorted lists the senders by name.
func (s senders) sorted() []*sender {
	return slices.SortedFunc(maps.Values(s), func(a, b *sender) int { return strings.Compare(a.name, b.name) })
}

func (d *Daemon) senderChecks() (checks []doctor.Check) {
	for _, s := range d.senders.sorted() {
		checks = append(checks, doctor.Check{Name: "sender", Subject: s.name, Look: func(ctx context.Context) (doctor.Answer, error) {
			c, ok := s.own.(driver.Checker)
			if !ok {
				return doctor.Skip("this kind of sender cannot be checked"), nil
			}
			if err := c.Check(ctx); err != nil {
				return doctor.Fail("see that the broker is up, and that address, login and TLS of the sender are correct", "%v", err), nil
			}
			return doctor.Okay("it answers"), nil
		}})
	}
	return checks
}

// inspector is a sink that can say what is wrong with a destination.
type inspector interface {
	Inspect(ctx context.Context, destination string) error
}

// destinationChecks looks at the destinations that the configuration alone knows.
func (d *Daemon) destinationChecks() (checks []doctor.Check) {
	seen := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(d.config.Publisher.Events)) {
		_, which := d.config.SenderOf(name)
		s, topic := d.senders[which], d.config.Publisher.Events[name].Topic
		if which == nil || s == nil {
			continue
		}
		m := outbox.Message{Event: outbox.Event{Type: name}, Destination: topic, ByType: topic == ""}
		if m.ByType {
			m.Destination = name
		}
		subject := s.name + " " + driver.DestinationName(m.Destination)
		if seen[s.name+" "+m.Destination] {
			continue
		}
		seen[s.name+" "+m.Destination] = true
		pattern := m.ByType && strings.ContainsAny(name, `*?[\`)
		checks = append(checks, doctor.Check{Name: "destination", Subject: subject, Look: func(ctx context.Context) (doctor.Answer, error) {
			if pattern {
				return doctor.Skip("each event type of the pattern has its own destination"), nil
			}
			return s.inspect(ctx, m)
		}})
	}
	return checks
}

// inspect looks at one destination.
func (s *sender) inspect(ctx context.Context, m outbox.Message) (doctor.Answer, error) {
	if c, ok := s.own.(driver.Checker); ok && c.Check(ctx) != nil {
		return doctor.Skip("the sender does not answer"), nil
	}
	var err error
	switch one := s.own.(type) {
	case inspector:
		err = one.Inspect(ctx, m.Destination)
	case driver.DestinationChecker:
		err = one.CheckDestination(ctx, m)
	default:
		return doctor.Skip("this kind of sender cannot be asked"), nil
	}
	if err != nil {
		return doctor.Fail("create it or grant the right, or correct outbox.publisher.events; its events wait or become dead letters meanwhile", "%v", err), nil
	}
	return doctor.Okay("it is there"), nil
}

// reach opens a database and closes it again.
func reach(ctx context.Context, drivers []dburl.Driver, url string) (doctor.Answer, error) {
	db, err := dburl.Open(ctx, drivers, url, dburl.Options{Conns: 1})
	var p *dburl.Problem
	if errors.As(err, &p) {
		return doctor.Fail(p.Advice, "%v", p.Err), nil
	}
	if err != nil {
		return doctor.Answer{}, err
	}
	name := db.Name(ctx)
	if err := db.Close(); err != nil {
		return doctor.Answer{}, fmt.Errorf("close: %w", err)
	}
	return doctor.Okay("%s answers", name), nil
}
