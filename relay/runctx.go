package relay

import (
	"context"
	"sync"
	"time"
)

// runContext is the context of one run: the values of its parent, a deadline,
// and a cancellation. It arms its timer only when something waits for Done,
// since most listeners finish long before, and at a hundred thousand runs a
// second the timers of the standard contexts take a tenth of the relay's CPU
// time.
type runContext struct {
	context.Context // the parent; it never ends
	deadline        time.Time

	mu     sync.Mutex
	err    error
	done   chan struct{}
	timer  *time.Timer
	after  map[int]func()
	afters int
}

func newRunContext(parent context.Context, deadline time.Time) *runContext {
	return &runContext{Context: parent, deadline: deadline}
}

// Deadline implements [context.Context].
func (c *runContext) Deadline() (time.Time, bool) { return c.deadline, true }

// Err implements [context.Context].
func (c *runContext) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil && !time.Now().Before(c.deadline) {
		c.finish(context.DeadlineExceeded)
	}
	return c.err
}

// Done implements [context.Context].
func (c *runContext) Done() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.done == nil {
		c.done = make(chan struct{})
		if c.err != nil {
			close(c.done)
		}
	}
	c.arm()
	return c.done
}

// AfterFunc lets derived contexts learn of the end without a goroutine of their
// own.
func (c *runContext) AfterFunc(f func()) (stop func() bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		go f()
		return func() bool { return false }
	}
	if c.after == nil {
		c.after = map[int]func(){}
	}
	c.afters++
	n := c.afters
	c.after[n] = f
	c.arm()
	return func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		_, waiting := c.after[n]
		delete(c.after, n)
		return waiting
	}
}

func (c *runContext) arm() {
	if c.timer == nil && c.err == nil {
		c.timer = time.AfterFunc(time.Until(c.deadline), func() { c.end(context.DeadlineExceeded) })
	}
}

// cancel ends the context; only the first end counts.
func (c *runContext) cancel() { c.end(context.Canceled) }

func (c *runContext) end(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.finish(err)
}

func (c *runContext) finish(err error) {
	if c.err != nil {
		return
	}
	c.err = err
	if c.done != nil {
		close(c.done)
	}
	if c.timer != nil {
		c.timer.Stop()
	}
	for _, f := range c.after {
		go f()
	}
	c.after = nil
}
