//go:build !race

package e2e

import (
	"context"
	"sync/atomic"
	"testing"
	"time"
)

// crew is several processes of a kind, one of which is killed and replaced now and
// then.
type crew struct {
	t       *testing.T
	log     *tail
	start   func(log *tail) (*process, error)
	members []*process
	mercy   int64 // no process is killed before that many have ended by themselves
	killed  int
	ended   atomic.Int64 // by themselves

	stop context.CancelFunc
	gone chan struct{}
}

// killing reports whether it is time to kill one more process, after so many.
type killing func(killed int) bool

// never kills none.
func never(int) bool { return false }

// every kills one at every interval.
func every(interval time.Duration) killing {
	last := time.Now()
	return func(int) bool {
		due := time.Since(last) >= interval
		if due {
			last = time.Now()
		}
		return due
	}
}

// startCrew starts n processes and their killer. One that ended by itself is always
// replaced, and the killing begins when mercy of them have. At the end of the test
// all are killed.
func startCrew(t *testing.T, n int, mercy int64, kill killing, start func(log *tail) (*process, error)) *crew {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	c := &crew{t: t, log: &tail{}, start: start, members: make([]*process, n), mercy: mercy, stop: stop, gone: make(chan struct{})}
	for i := range c.members {
		c.replace(i)
	}
	go c.harass(ctx, kill)
	t.Cleanup(c.end)
	return c
}

// replace starts a process in place of another. A place stays empty only if
// none can be started, which fails the test.
func (c *crew) replace(i int) {
	p, err := c.start(c.log)
	if err != nil {
		c.t.Error(err)
	}
	c.members[i] = p
}

func (c *crew) harass(ctx context.Context, kill killing) {
	defer close(c.gone)
	victim := 0
	for pass(ctx, 20*time.Millisecond) {
		for i, p := range c.members {
			switch {
			case p == nil:
				return
			case !p.running():
				c.ended.Add(1)
				c.replace(i)
			case i == victim && c.ended.Load() >= c.mercy && kill(c.killed):
				p.kill()
				c.killed++
				c.replace(i)
				victim = (victim + 1) % len(c.members)
			}
		}
	}
}

// awaitDeaths waits until the processes that should end by themselves have
// ended. All orders may be placed before that: a consumer group that lost a
// member takes seconds to go on.
func (c *crew) awaitDeaths(t *testing.T) {
	t.Helper()
	eventually(t, "those ended that were to end by themselves",
		func() bool { return c.ended.Load() >= c.mercy }, c.log.String)
}

// spare stops the killing. After it the crew may be read.
func (c *crew) spare() {
	c.stop()
	<-c.gone
}

// end kills all.
func (c *crew) end() {
	c.spare()
	for _, p := range c.members {
		if p != nil {
			p.kill()
		}
	}
}
