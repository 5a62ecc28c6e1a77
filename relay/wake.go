package relay

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay/core"
)

// Wake makes the poller check the lanes of those types at once, or all lanes if
// none are given. A wake-up is a hint; several may be merged into one.
func (r *Relay) Wake(types ...string) {
	for _, t := range types {
		r.routes.lane(t)
	}
	r.step(func(c *core.Core, now time.Time, fx *core.Effects) { c.Wake(now, types, fx) })
}

// wakerLoop keeps listening to a source of wake-ups.
func (r *Relay) wakerLoop(ctx context.Context, w driver.Waker) {
	var wait core.Backoff
	for ctx.Err() == nil {
		var heard atomic.Bool // the waker may call from any goroutine
		err := w.Listen(ctx, func(lanes []string) {
			if !heard.Swap(true) {
				r.report(ctx, doingListen, nil)
			}
			r.Wake(lanes...)
		})
		failed := time.Now()
		if heard.Load() {
			wait.Reset()
		}
		r.Wake() // wake-ups may have been missed meanwhile
		if !pause(ctx, wait.Next(), nil) {
			return
		}
		if err != nil { // after the wake-up, which shows whether the database is unavailable
			r.reportAt(ctx, failed, doingListen, err)
		}
	}
}
