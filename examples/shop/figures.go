package main

import (
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"time"

	"github.com/sendoff-go/outbox/examples/shop/internal/traffic"
	"github.com/sendoff-go/outbox/observe"
)

// figures are counted while everything runs.
type figures struct {
	traffic  traffic.Counts
	billing  *process
	draining atomic.Bool // the traffic has ended, and events are left

	delivered, retried, dead atomic.Int64
}

// hooks count for the relay. Billing reports its own figures.
func (f *figures) hooks() observe.Hooks {
	return observe.Hooks{
		Delivered: func(observe.DeliveredInfo) { f.delivered.Add(1) },
		Failed:    func(observe.FailedInfo) { f.retried.Add(1) },
		Dead:      func(observe.FailedInfo) { f.dead.Add(1) },
	}
}

func (f *figures) String() string {
	var b strings.Builder
	t := &f.traffic
	fmt.Fprintf(&b, "orders   %d placed, %d cancelled, %d declined and rolled back, %d requests failed\n",
		t.Placed.Load(), t.Cancelled.Load(), t.Declined.Load(), t.Failed.Load())
	fmt.Fprintf(&b, "relay    %d events delivered, %d attempts failed, %d dead letters\n", f.delivered.Load(), f.retried.Load(), f.dead.Load())
	r := f.billing.report.Load()
	fmt.Fprintf(&b, "billing  %d documents written, %d repeated deliveries skipped, %d failures caused\n", r.Written, r.Repeated, r.Failures)
	if err := f.billing.died(); err != nil {
		fmt.Fprintf(&b, "%v. The shop goes on without it.\n", err)
	}
	if f.draining.Load() {
		fmt.Fprintln(&b, "The traffic has ended; waiting for the last events.")
	}
	return b.String()
}

// show prints the figures again and again. stop ends that and prints them once
// more.
func (f *figures) show(out io.Writer, every time.Duration, redraw bool) (stop func()) {
	over := ""
	print := func() {
		text := f.String()
		fmt.Fprint(out, over, text)
		if redraw { // up as many lines, and clear what is below
			over = fmt.Sprintf("\x1b[%dA\x1b[J", strings.Count(text, "\n"))
		}
	}
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			print()
			select {
			case <-tick.C:
			case <-end:
				print()
				return
			}
		}
	}()
	return func() {
		f.draining.Store(false)
		close(end)
		<-ended
	}
}
