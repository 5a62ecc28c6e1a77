package hazelcaststore

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/hazelcast/hazelcast-go-client"

	"github.com/sendoff-go/outbox"
)

// clock is the cluster's clock, as far as a client can know it: the process's
// monotonic clock and its distance from that of a member, which is measured at
// the first call and from time to time. So the wall clock of the process decides
// nothing.
type clock struct {
	ask func(ctx context.Context) (reading, error)

	mu       sync.Mutex
	start    time.Time // of the monotonic clock
	low, up  int64     // bounds of the cluster's time at start, µs
	measured time.Time // when a measurement last ended; zero: never
	wall     time.Time // the wall clock then
	last     int64     // what tick returned
}

const (
	measureEvery = 30 * time.Second
	drift        = 200 // µs in a second that two clocks may part
	// standstill is by how much the monotonic clock may fall behind the wall
	// clock: it stands still while the machine is suspended.
	standstill = 500 * time.Millisecond
	// maxEarly bounds how early an event may be claimed.
	maxEarly = 250 * time.Millisecond
	// setBack is by how much the clocks of two members do not differ: a cluster
	// whose time is earlier than that was set back.
	setBack = time.Second
)

// reading is a member's clock, to the millisecond, at some moment between two of
// this process.
type reading struct {
	before, after time.Time
	at            time.Time
}

func newClock(ask func(ctx context.Context) (reading, error)) *clock {
	return &clock{ask: ask, start: time.Now()}
}

// adjust measures, if it is time to.
func (c *clock) adjust(ctx context.Context) error {
	c.mu.Lock()
	rounds, now := 0, time.Now()
	switch passed := now.Sub(c.measured); {
	case c.measured.IsZero():
		rounds = 3 // the first answer of a connection is slow
	case passed > measureEvery, now.Round(0).Sub(c.wall)-passed > standstill:
		rounds = 1
	}
	c.mu.Unlock()
	for range rounds {
		r, err := c.ask(ctx)
		if err != nil {
			return fmt.Errorf("the cluster's time: %w", err)
		}
		c.learn(r)
	}
	return nil
}

// learn narrows the bounds by one reading. If they contradict it, a clock was
// set, or another member answered: the later reading is right.
func (c *clock) learn(r reading) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := r.at.UnixMicro()
	low, up := at-r.after.Sub(c.start).Microseconds(), at+1000-r.before.Sub(c.start).Microseconds()
	if !c.measured.IsZero() {
		slack := int64(r.after.Sub(c.measured).Seconds()*drift) + 1
		if l, u := max(low, c.low-slack), min(up, c.up+slack); l <= u {
			low, up = l, u
		}
	}
	c.low, c.up, c.measured, c.wall = low, up, r.after, r.after.Round(0)
	if c.last-c.estimate() > setBack.Microseconds() {
		c.last = 0 // the time must not stand still until then
	}
}

// now is the cluster's time in µs. It is never before what tick has returned,
// unless the cluster's clock was set back.
func (c *clock) now() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.read()
}

func (c *clock) read() int64 { return max(c.last, c.estimate()) }

func (c *clock) estimate() int64 {
	return c.low + (c.up-c.low)/2 + time.Since(c.start).Microseconds()
}

// tick is now, and each time another one.
func (c *clock) tick() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last = max(c.last+1, c.read())
	return c.last
}

// tolerance is how far the clocks of two clients may be apart.
func (c *clock) tolerance() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return max(c.up-c.low, 2000)
}

// seq makes a position in the order from a tick: the lower bits keep two
// processes apart.
func seq(tick int64) int64 { return tick<<10 | rand.Int64N(1<<10) }

// flakeEpoch is the first moment of Hazelcast's Flake IDs.
const flakeEpoch = 1514764800000

// flakeTime reads a member's clock from an id that it makes. A generator that
// nobody has used begins at the present; entry views know only seconds.
func flakeTime(client *hazelcast.Client, name string) func(ctx context.Context) (reading, error) {
	return func(ctx context.Context) (r reading, err error) {
		g, err := client.GetFlakeIDGenerator(ctx, name+"-clock-"+outbox.NewID())
		if err != nil {
			return r, err
		}
		defer func() { _ = g.Destroy(ctx) }()
		r.before = time.Now()
		id, err := g.NewID(ctx)
		r.after, r.at = time.Now(), time.UnixMilli(id>>22+flakeEpoch)
		return r, err
	}
}
