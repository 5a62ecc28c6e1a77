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
		m.ahead, m.trip = m.ahead-setBack/2, time.Millisecond // another member answers
		<-time.After(measureEvery + time.Second)
		before, asked := c.tick(), m.asked
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

// A retry must not wait for the clock to catch up with what it was.
func TestTheClockGoesOnAfterItWasSetBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &member{ahead: time.Hour, trip: time.Millisecond}
		c := newClock(m.ask)
		if err := c.adjust(t.Context()); err != nil {
			t.Fatal(err)
		}
		c.tick()
		m.ahead = 0
		<-time.After(measureEvery + time.Second)
		if err := c.adjust(t.Context()); err != nil {
			t.Fatal(err)
		}
		due := c.tick() + micros(10*time.Second)
		<-time.After(11 * time.Second)
		if late := time.Duration(due-c.now()) * time.Microsecond; late > 0 {
			t.Errorf("what is due after 10 s is not for %s after 11 s", late)
		}
	})
}

// Of two slow answers, one was slow on its way there and the other back.
func TestNoLeaseEndsEarlyForSlowAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began, trip := time.Now(), 3*time.Second
		ahead, behind := newClock(nil), newClock(nil)
		ahead.learn(reading{began, began.Add(trip), began.Add(trip)})
		behind.learn(reading{began, began.Add(trip), began})
		until := behind.now() + micros(time.Minute)
		if over := ahead.now() + micros(time.Minute) - ahead.tolerance(); over > until {
			t.Errorf("the lease ends %s early", time.Duration(over-until)*time.Microsecond)
		}
	})
}
