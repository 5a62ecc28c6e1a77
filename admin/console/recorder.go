package console

import (
	"context"
	"sync"
	"time"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/admin/rates"
)

// recorder reads the state of the outbox every few seconds, and keeps for a day
// what a database does not: rates and latencies over time. It is safe for
// concurrent use.
type recorder struct {
	every time.Duration
	read  func(ctx context.Context) (admin.Status, error)
	count func(ctx context.Context) (open, error)
	ended chan struct{} // closed when nothing is read any more

	mu     sync.Mutex
	last   admin.Status
	open   open
	err    error // of the last try
	meter  rates.Meter
	recent []rates.Step // whole, of the last minute
	fine   ring         // a step of every
	coarse ring         // a step of every times coarser
	seen   []happening
}

// coarser is how many fine steps a coarse one has: two minutes of five seconds.
const coarser = 24

// maxSteps of 5 seconds are an hour, of two minutes a day.
const maxSteps = 720

func newRecorder(every time.Duration, read func(ctx context.Context) (admin.Status, error), count func(ctx context.Context) (open, error)) *recorder {
	return &recorder{every: every, read: read, count: count, ended: make(chan struct{})}
}

// Run reads the figures that are shown over time until ctx is done, then ends what
// is being watched. Call it once.
func (c *Console) Run(ctx context.Context) {
	r := c.recorder
	defer close(r.ended)
	tick := time.NewTicker(r.every)
	defer tick.Stop()
	for {
		r.look(ctx)
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// look reads the state once.
func (r *recorder) look(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, 4*r.every)
	defer cancel()
	s, err := r.read(ctx)
	if ctx.Err() != nil && err != nil {
		err = ctx.Err()
	}
	now, failed := r.count(ctx)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.note(s, err, time.Now())
	if failed == nil { // else those of before are shown
		r.open = now
	}
}

// note adds a state to the series. The caller holds the lock.
func (r *recorder) note(s admin.Status, err error, now time.Time) {
	before := r.err == nil && r.last.Type != ""
	if r.err = err; err != nil {
		r.meter.Skip()
		return
	}
	if before {
		r.happened(r.last, s, now)
	}
	if p, ok := r.meter.Add(s, now); ok {
		r.recent = append(r.recent, p)
		for len(r.recent) > 0 && r.recent[0].At.Before(now.Add(-nowadays)) {
			r.recent = r.recent[1:]
		}
		r.fine.add(pointOf(p), 0)
		r.coarse.add(pointOf(p), coarser*r.every)
	}
	r.last = s
}

// window adds up the steps of the last minute.
func (r *recorder) window() rates.Step {
	r.mu.Lock()
	defer r.mu.Unlock()
	return rates.Sum(r.recent)
}

// state returns the last state, and why there is no newer one.
func (r *recorder) state() (s admin.Status, known bool, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.last, r.last.Type != "", r.err
}
