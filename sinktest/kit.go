package sinktest

import (
	"bytes"
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// The suite's time limits. They run out only when a law is broken or a server
// is down; the suite's own tests shorten them.
var (
	// patience is how long a test waits for what must happen.
	patience = time.Minute
	// brief is the time limit of a Send while the server is down.
	brief = 2 * time.Second
	// grace is how long after the end of its context a Send may return. It tells
	// a Send that ends from one that does not, and is no measure of its speed.
	grace = 20 * time.Second
	// quiet is how long a test waits for what must not happen.
	quiet = 250 * time.Millisecond
)

// eventType is the type of all events of the suite.
const eventType = "OrderPlaced"

// kit is a subject with the steps that laws are made of.
type kit struct {
	testing.TB
	Subject
	ctx context.Context
}

func newKit(t testing.TB, s Subject) *kit {
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	t.Cleanup(cancel)
	return &kit{TB: t, Subject: s, ctx: ctx}
}

// event returns an event of that aggregate with a unique payload.
func event(key string) outbox.Event {
	id := outbox.NewID()
	return outbox.Event{ID: id, Type: eventType, AggregateType: "Order", AggregateID: key, JSON: fmt.Appendf(nil, `{"id":%q}`, id)}
}

func events(key string, n int) []outbox.Event {
	es := make([]outbox.Event, n)
	for i := range es {
		es[i] = event(key)
	}
	return es
}

func withPayload(size int) outbox.Event {
	e := event("size")
	e.JSON, e.Bytes = nil, bytes.Repeat([]byte{0xff, 0x00, 'a', '\n'}, size/4+1)[:size]
	return e
}

// messages returns what a route makes of events.
func (k *kit) messages(es ...outbox.Event) []outbox.Message {
	return k.messagesTo(k.Destination, es...)
}

func (k *kit) messagesTo(destination string, es ...outbox.Event) []outbox.Message {
	k.Helper()
	var c capture
	reg := outbox.NewRegistry()
	reg.Route(eventType, &c, outbox.To(destination))
	if err := reg.Err(); err != nil {
		k.Fatal(err)
	}
	for i, err := range driver.DestinationOf(reg.Lookup("", eventType)).Deliver(k.ctx, es) {
		if err != nil {
			k.Fatalf("event %d: %v", i, err)
		}
	}
	return c.sent
}

// capture is a sink that keeps the messages.
type capture struct{ sent []outbox.Message }

func (c *capture) Send(_ context.Context, batch []outbox.Message) []error {
	c.sent = batch
	return nil
}

// answers sends a batch and returns one answer for each message. It fails the
// test if Send takes much longer than its context.
func (k *kit) answers(ctx context.Context, ms []outbox.Message) []error {
	k.Helper()
	answered := make(chan []error, 1)
	go func() { answered <- k.Sink.Send(ctx, ms) }()
	var errs []error
	select {
	case errs = <-answered:
	case <-late(ctx):
		k.Fatalf("Send has not returned %s after the end of its context", grace)
	}
	if errs == nil {
		return make([]error, len(ms))
	}
	if len(errs) != len(ms) {
		k.Fatalf("%d answers for %d messages: %v", len(errs), len(ms), errs)
	}
	return errs
}

// late returns a channel that is closed when the grace after the end of ctx is
// over.
func late(ctx context.Context) <-chan struct{} {
	over := make(chan struct{})
	after := grace
	context.AfterFunc(ctx, func() { time.AfterFunc(after, func() { close(over) }) })
	return over
}

// within sends a batch with a timeout of d.
func (k *kit) within(d time.Duration, ms []outbox.Message) []error {
	k.Helper()
	ctx, cancel := context.WithTimeout(k.ctx, d)
	defer cancel()
	return k.answers(ctx, ms)
}

// send sends a batch that must be delivered.
func (k *kit) send(ms []outbox.Message) {
	k.Helper()
	for i, err := range k.within(patience, ms) {
		if err != nil {
			k.Fatalf("message %d of %d was not delivered: %v", i, len(ms), err)
		}
	}
}

// until repeats f until it returns true.
func (k *kit) until(what string, f func() bool) {
	k.Helper()
	deadline, tick := time.NewTimer(patience), time.NewTicker(20*time.Millisecond)
	defer deadline.Stop()
	defer tick.Stop()
	for !f() {
		select {
		case <-tick.C:
		case <-deadline.C:
			k.Fatalf("timed out after %s, waiting until %s", patience, what)
		}
	}
}

// deliver resends messages until all are acknowledged. Every failure must be
// Unavailable, since nothing is wrong with the messages.
func (k *kit) deliver(ms []outbox.Message) {
	k.Helper()
	k.until("the sink delivers", func() bool {
		var left []outbox.Message
		for i, err := range k.within(brief, ms) {
			if err == nil {
				continue
			}
			k.unavailable(err)
			left = append(left, ms[i])
		}
		ms = left
		return len(ms) == 0
	})
}

// unavailable checks that an answer blames the destination.
func (k *kit) unavailable(err error) {
	k.Helper()
	if !outbox.IsUnavailable(err) || outbox.IsPermanent(err) {
		k.Fatalf("answer %q: expected it to be Unavailable", fmt.Sprint(err))
	}
}

// allUnavailable checks that every answer blames the destination.
func (k *kit) allUnavailable(errs []error) {
	k.Helper()
	for _, err := range errs {
		k.unavailable(err)
	}
}

// arrived returns everything that arrived, once there are n messages.
func (k *kit) arrived(n int) []Arrival {
	k.Helper()
	as := k.Receive(n, patience)
	if len(as) < n {
		k.Fatalf("%d messages arrived within %s, expected %d", len(as), patience, n)
	}
	return as
}

// exactly checks that these messages and no others arrived, each once, and
// returns them by event id.
func (k *kit) exactly(ms []outbox.Message) map[string]Arrival {
	k.Helper()
	k.arrived(len(ms))
	as := k.Receive(len(ms)+1, quiet)
	byID := map[string]Arrival{}
	for _, a := range as {
		if _, ok := byID[a.EventID]; ok {
			k.Fatalf("event %q arrived more than once, and nothing had failed", a.EventID)
		}
		byID[a.EventID] = a
	}
	for _, m := range ms {
		a, ok := byID[m.Event.ID]
		if !ok {
			k.Fatalf("event %q was acknowledged and did not arrive", m.Event.ID)
		}
		k.same(m, a)
	}
	if len(as) != len(ms) {
		k.Fatalf("%d messages arrived, %d were sent", len(as), len(ms))
	}
	return byID
}

// atLeast checks that these messages arrived, unchanged, each once or more.
func (k *kit) atLeast(ms []outbox.Message) {
	k.Helper()
	byID := map[string]outbox.Message{}
	for _, m := range ms {
		byID[m.Event.ID] = m
	}
	n := len(ms)
	k.until("what was acknowledged has arrived", func() bool {
		missing := map[string]bool{}
		for id := range byID {
			missing[id] = true
		}
		as := k.Receive(n, quiet)
		n = len(as) + 1 // one more, if some are missing
		for _, a := range as {
			delete(missing, a.EventID)
			if m, ok := byID[a.EventID]; ok {
				k.same(m, a)
			}
		}
		return len(missing) == 0
	})
}

// same checks the payload, the type and the key.
func (k *kit) same(m outbox.Message, a Arrival) {
	k.Helper()
	if !bytes.Equal(a.Payload, m.Payload()) {
		k.Fatalf("event %q: payload %s, expected %s", m.Event.ID, short(a.Payload), short(m.Payload()))
	}
	if a.EventType != m.Event.Type {
		k.Fatalf("event %q: type %q, expected %q", m.Event.ID, a.EventType, m.Event.Type)
	}
	if k.Keyed && a.Key != m.Key {
		k.Fatalf("event %q: key %q, expected %q", m.Event.ID, a.Key, m.Key)
	}
}

func short(b []byte) string {
	if len(b) > 80 {
		return fmt.Sprintf("%.60q... (%d bytes)", b, len(b))
	}
	return fmt.Sprintf("%q", b)
}
