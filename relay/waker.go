package relay

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay/core"
)

// wakerLoop keeps listening to a source of wake-ups.
type wakerLoop struct {
	from    driver.Waker
	wake    func(types ...string)
	reports *reporter
}

func (l *wakerLoop) run(ctx context.Context) {
	var wait core.Backoff
	for ctx.Err() == nil {
		var heard atomic.Bool // the waker may call from any goroutine
		err := l.from.Listen(ctx, func(lanes []string) {
			if !heard.Swap(true) {
				l.reports.report(ctx, doingListen, nil)
			}
			l.wake(lanes...)
		})
		failed := time.Now()
		if heard.Load() {
			wait.Reset()
		}
		l.wake() // wake-ups may have been missed meanwhile
		if !pause(ctx, wait.Next(), nil) {
			return
		}
		if err != nil { // after the wake-up, which shows whether the database is unavailable
			l.reports.reportAt(ctx, failed, doingListen, err)
		}
	}
}
