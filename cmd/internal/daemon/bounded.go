package daemon

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// bounded is a sink whose sends end after emergency-timeout, and are counted
// while they are under way and if the relay had to cancel them.
type bounded struct {
	name    string
	sink    outbox.Sink
	timeout time.Duration
	now     atomic.Int64 // sends under way
	cut     atomic.Int64 // sends that the relay cancelled
}

// Send implements [outbox.Sink].
func (b *bounded) Send(ctx context.Context, batch []outbox.Message) []error {
	b.now.Add(1)
	defer b.now.Add(-1)
	limited, cancel := context.WithTimeout(ctx, b.timeout)
	defer cancel()
	errs := b.sink.Send(limited, batch)
	failed := slices.ContainsFunc(errs, func(err error) bool { return err != nil })
	if failed && errors.Is(ctx.Err(), context.Canceled) {
		b.cut.Add(1)
	}
	return errs
}

// String is the sender's name, which logs and health show.
func (b *bounded) String() string { return b.name }

// Unwrap returns the sink within, which says what kind it is.
func (b *bounded) Unwrap() outbox.Sink { return b.sink }

// checked is a bounded sink that can be checked.
type checked struct {
	*bounded
	check driver.Checker
}

// Check implements [driver.Checker].
func (c checked) Check(ctx context.Context) error { return c.check.Check(ctx) }

// checkedEach is one whose destinations can be checked one by one, too.
type checkedEach struct {
	checked
	each driver.DestinationChecker
}

// CheckDestination implements [driver.DestinationChecker].
func (c checkedEach) CheckDestination(ctx context.Context, m outbox.Message) error {
	return c.each.CheckDestination(ctx, m)
}

// bound wraps a sink.
func bound(name string, s outbox.Sink, timeout time.Duration) (outbox.Sink, *bounded) {
	b := &bounded{name: name, sink: s, timeout: timeout}
	if c, ok := s.(driver.Checker); ok {
		each, ok := s.(driver.DestinationChecker)
		if ok {
			return checkedEach{checked{b, c}, each}, b
		}
		return checked{b, c}, b
	}
	return b, b
}
