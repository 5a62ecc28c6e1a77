package hazelcaststore

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// member answers with its own clock, which is ahead of the process's.
type member struct {
	ahead, trip time.Duration
	err         error
	asked       int
}

func (m *member) ask(context.Context) (r reading, err error) {
	m.asked++
	r.before = time.Now()
	<-time.After(m.trip / 2)
	r.at = time.Now().Add(m.ahead).Truncate(time.Millisecond)
	<-time.After(m.trip - m.trip/2)
	r.after = time.Now()
	return r, m.err
}

func TestTheClockIsThatOfTheCluster(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &member{ahead: 3 * time.Hour, trip: 8 * time.Millisecond}
		c := newClock(m.ask)
		if err := c.adjust(t.Context()); err != nil {
			t.Fatal(err)
		}
		off := func() time.Duration {
			return (time.Duration(c.now()-time.Now().Add(m.ahead).UnixMicro()) * time.Microsecond).Abs()
		}
		if off() > 5*time.Millisecond {
			t.Errorf("the clock is off by %s after trips of %s", off(), m.trip)
		}
		m.trip = 200 * time.Millisecond // a slow answer spoils nothing
		<-time.After(measureEvery + time.Second)
		if err := c.adjust(t.Context()); err != nil || off() > 20*time.Millisecond {
			t.Errorf("after a slow answer it is off by %s (error %v)", off(), err)
		}
		before, asked := c.tick(), m.asked
		m.ahead, m.trip = time.Hour, time.Millisecond // the member's clock was set back
		<-time.After(measureEvery + time.Second)
		if err := c.adjust(t.Context()); err != nil || m.asked != asked+1 {
			t.Fatalf("asked %d times more, error %v", m.asked-asked, err)
		}
		if now := c.now(); now < before {
			t.Errorf("it ran backwards, from %d to %d", before, now)
		}
	})
}

// The monotonic clock stands still while a machine is suspended, and the wall
// clock shows it afterwards.
func TestTheClockIsReadAgainAfterASuspension(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &member{}
		c := newClock(m.ask)
		if err := c.adjust(t.Context()); err != nil {
			t.Fatal(err)
		}
		asked, was := m.asked, c.now()
		if err := c.adjust(t.Context()); err != nil || m.asked != asked {
			t.Errorf("asked %d times more for nothing (error %v)", m.asked-asked, err)
		}
		c.wall = c.wall.Add(-time.Hour)
		m.ahead = time.Hour
		if err := c.adjust(t.Context()); err != nil || m.asked != asked+1 {
			t.Errorf("asked %d times after the suspension (error %v)", m.asked-asked, err)
		}
		if passed := time.Duration(c.now()-was) * time.Microsecond; passed < time.Hour-time.Second {
			t.Errorf("the clock went on by %s, the cluster's by an hour", passed)
		}
	})
}

func TestTicksDifferAndGrow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newClock((&member{}).ask)
		if err := c.adjust(t.Context()); err != nil {
			t.Fatal(err)
		}
		last, lastSeq := int64(0), int64(0)
		for range 5000 {
			tick := c.tick()
			if tick <= last || seq(tick) <= lastSeq || c.now() < tick {
				t.Fatalf("tick %d after %d", tick, last)
			}
			last, lastSeq = tick, seq(tick)|(1<<10-1)
		}
	})
}

func TestWithoutAnAnswerThereIsNoTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		away := errors.New("away")
		m := &member{err: away}
		c := newClock(m.ask)
		for range 2 {
			if err := c.adjust(t.Context()); !errors.Is(err, away) {
				t.Errorf("got %v", err)
			}
		}
	})
}
