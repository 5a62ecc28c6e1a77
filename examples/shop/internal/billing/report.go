package billing

import (
	"encoding/json"
	"io"
	"sync/atomic"
	"time"

	"github.com/sendoff-go/outbox/observe"
)

// Report is what billing says of itself, in one line of JSON.
type Report struct {
	Webhook  string `json:"webhook,omitempty"` // where it takes events, unless from Kafka
	Written  int64  `json:"written"`           // documents
	Repeated int64  `json:"repeated"`          // deliveries skipped, as the inbox knew the event
	Failures int64  `json:"failures"`          // deliveries that trouble made fail
}

// reporter counts.
type reporter struct {
	webhook           string
	trouble           *Trouble
	written, repeated atomic.Int64
}

func (r *reporter) hooks() observe.Hooks {
	return observe.Hooks{
		Consumed:   func(i observe.ConsumeInfo) { r.written.Add(int64(i.N)) },
		Duplicated: func(i observe.ConsumeInfo) { r.repeated.Add(int64(i.N)) },
	}
}

func (r *reporter) report() Report {
	return Report{Webhook: r.webhook, Written: r.written.Load(), Repeated: r.repeated.Load(), Failures: r.trouble.Failures()}
}

// reportPause is the least time between two reports.
const reportPause = 500 * time.Millisecond

// run writes a report at once, which says that billing is ready, and again when
// the figures have changed. stop ends that, after the final figures.
func (r *reporter) run(out io.Writer) (stop func()) {
	lines := json.NewEncoder(out)
	last := r.report()
	_ = lines.Encode(last) // if it fails, nobody reads
	write := func() {
		if now := r.report(); now != last {
			last = now
			_ = lines.Encode(now)
		}
	}
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(reportPause)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				write()
			case <-end:
				write()
				return
			}
		}
	}()
	return func() {
		close(end)
		<-ended
	}
}
