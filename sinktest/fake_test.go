package sinktest

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

const (
	fakeDestination = "orders"
	fakeUnroutable  = "nowhere"
	fakeTooLarge    = 2 << 20
	fakeNarrow      = "narrow"
	fakeRefused     = 1000 // bytes
	fakeTimeout     = 100 * time.Millisecond
)

// fake is a sink and its server in one, with faults of its own. The functions
// replace its duties, to make it defective.
type fake struct {
	send   func(ctx context.Context, batch []outbox.Message) []error
	answer func(i int, m outbox.Message, err error) error
	arrive func(m outbox.Message) // in place of put
	check  func(ctx context.Context) error
	close  func() error

	checkDestination func(ctx context.Context, m outbox.Message) error
	// same identifies a message for the server, which drops duplicates.
	same      func(m outbox.Message) string
	overtakes bool // later messages overtake one that failed
	hasty     bool // it gives up after fakeTimeout

	mu       sync.Mutex
	changed  chan struct{} // closed with every change of the mode
	mode     string
	budget   int
	closed   bool
	seen     map[string]bool
	arrivals []Arrival
	wg       sync.WaitGroup
	quit     chan struct{} // closed at the end of the test
}

func openFake(change func(*fake)) Open {
	return func(t testing.TB) Subject {
		f := &fake{changed: make(chan struct{}), budget: -1, seen: map[string]bool{}, quit: make(chan struct{}), same: identity}
		t.Cleanup(func() {
			_ = f.end()
			close(f.quit)
			f.wg.Wait()
		})
		if change != nil {
			change(f)
		}
		return Subject{
			Sink: f, Destination: fakeDestination, Receive: f.receive,
			Keyed: true, Deduplicates: true,
			TooLarge: fakeTooLarge, Unroutable: fakeUnroutable,
			Narrow: func(testing.TB) (string, int, func(int, time.Duration) []Arrival) {
				return fakeNarrow, fakeRefused, f.receive
			},
			Faults: f, SendTimeout: fakeTimeout, Hasty: func(testing.TB) outbox.Sink {
				f.hasty = true
				return f
			},
			Reopen: func(testing.TB) outbox.Sink {
				f.closed = false
				return f
			},
		}
	}
}

func (f *fake) receive(n int, wait time.Duration) []Arrival {
	deadline, tick := time.After(wait), time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for over := false; ; {
		f.mu.Lock()
		as := slices.Clone(f.arrivals)
		f.mu.Unlock()
		if len(as) >= n || over {
			return as
		}
		select {
		case <-tick.C:
		case <-deadline:
			over = true
		}
	}
}

func (f *fake) Send(ctx context.Context, batch []outbox.Message) []error {
	if f.send != nil {
		return f.send(ctx, batch)
	}
	return f.deliver(ctx, batch)
}

func (f *fake) deliver(ctx context.Context, batch []outbox.Message) []error {
	cancel := func() {}
	defer func() { cancel() }()
	// The timeout starts when the fake waits for an answer: its own work takes
	// time on a busy machine.
	limit := sync.OnceFunc(func() {
		if f.hasty {
			ctx, cancel = context.WithTimeout(ctx, fakeTimeout) //nolint:fatcontext // once
		}
	})
	errs := make([]error, len(batch))
	behind := map[string]error{}
	for i, m := range batch {
		if errs[i] = behind[m.Key]; errs[i] == nil || f.overtakes {
			errs[i] = f.one(func() context.Context { return ctx }, limit, m)
		}
		if err := errs[i]; outbox.IsUnavailable(err) || err != nil && m.Destination == fakeNarrow {
			behind[m.Key] = outbox.Unavailable(driver.NotSent(err))
		}
		if f.answer != nil {
			errs[i] = f.answer(i, m, errs[i])
		}
	}
	return errs
}

func (f *fake) one(current func() context.Context, limit func(), m outbox.Message) error {
	sent := false
	for {
		ctx := current()
		f.mu.Lock()
		mode, closed, changed := f.mode, f.closed, f.changed
		if f.budget >= 0 {
			if f.budget -= len(m.Payload()); f.budget < 0 {
				f.mu.Unlock()
				return outbox.Unavailable(driver.Uncertain(errors.New("connection lost")))
			}
		}
		f.mu.Unlock()
		switch {
		case sent && (closed || ctx.Err() != nil || mode == "refuse"):
			return outbox.Unavailable(driver.Uncertain(errors.Join(errors.New("no answer"), ctx.Err())))
		case closed:
			return outbox.Unavailable(errors.New("the sink is closed"))
		case ctx.Err() != nil:
			return outbox.Unavailable(ctx.Err())
		case mode == "refuse":
			return outbox.Unavailable(errors.New("connection refused"))
		case mode == "":
			return f.take(m)
		case mode == "mute":
			_ = f.take(m)
		}
		sent = true
		limit()
		select {
		case <-changed:
		case <-current().Done():
		}
	}
}

// take is the server's part.
func (f *fake) take(m outbox.Message) error {
	switch {
	case m.Destination != fakeDestination && m.Destination != fakeNarrow:
		return fmt.Errorf("destination %q does not exist", driver.DestinationName(m.Destination))
	case m.Destination == fakeNarrow && len(m.Payload()) >= fakeRefused:
		return errors.New("no room for the message")
	case len(m.Payload()) >= fakeTooLarge:
		return outbox.Permanent(fmt.Errorf("%d bytes are too many", len(m.Payload())))
	}
	for name := range m.Headers {
		if name == "newline" {
			return outbox.Permanent(fmt.Errorf("header %q has a line break", name))
		}
	}
	if f.arrive != nil {
		f.arrive(m)
	} else {
		f.put(m)
	}
	return nil
}

// identity is the same each time a message is sent.
func identity(m outbox.Message) string {
	return fmt.Sprint(m.Event.ID, m.Delivery.Seq, len(m.Payload()), crc32.ChecksumIEEE(m.Payload()))
}

func (f *fake) put(m outbox.Message) {
	f.mu.Lock()
	defer f.mu.Unlock()
	same := f.same(m)
	if f.seen[same] {
		return
	}
	f.seen[same] = true
	f.arrivals = append(f.arrivals, arrival(m))
}

func arrival(m outbox.Message) Arrival {
	return Arrival{Key: m.Key, Received: outbox.Received{
		EventID: m.Headers[outbox.HeaderEventID], EventType: m.Headers[outbox.HeaderEventType],
		Payload: slices.Clone(m.Payload()), Headers: maps.Clone(m.Headers),
	}}
}

func (f *fake) Check(ctx context.Context) error {
	if f.check != nil {
		return f.check(ctx)
	}
	f.mu.Lock()
	mode, closed := f.mode, f.closed
	f.mu.Unlock()
	if closed || mode != "" {
		return errors.New("not there")
	}
	return nil
}

func (f *fake) CheckDestination(ctx context.Context, m outbox.Message) error {
	if f.checkDestination != nil {
		return f.checkDestination(ctx, m)
	}
	return f.Check(ctx)
}

func (f *fake) Close() error {
	if f.close != nil {
		return f.close()
	}
	return f.end()
}

func (f *fake) end() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	f.wake()
	return nil
}

func (f *fake) wake() {
	close(f.changed)
	f.changed = make(chan struct{})
}

func (f *fake) set(mode string, budget int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.mode, f.budget = mode, budget
	f.wake()
}

func (f *fake) Pass()          { f.set("", -1) }
func (f *fake) Refuse()        { f.set("refuse", -1) }
func (f *fake) Cut()           { f.set("", 0) }
func (f *fake) CutAfter(n int) { f.set("", n) }
func (f *fake) Hang()          { f.set("hang", -1) }
func (f *fake) Mute()          { f.set("mute", -1) }
