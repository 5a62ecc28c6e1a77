package console

import (
	"context"
	"sync"
	"time"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/driver"
)

// recorder reads the state of the outbox every few seconds, and keeps for a day
// what a database does not: rates and latencies over time. It is safe for
// concurrent use.
type recorder struct {
	every time.Duration
	read  func(ctx context.Context) (admin.Status, error)
	ended chan struct{} // closed when nothing is read any more

	mu     sync.Mutex
	last   admin.Status
	at     time.Time // of last; zero: never
	err    error     // of the last try
	relays map[string]*watched
	fine   ring // a step of every
	coarse ring // a step of every times coarser
	seen   []happening
}

// coarser is how many fine steps a coarse one has: two minutes of five seconds.
const coarser = 24

// maxSteps of 5 seconds are an hour, of two minutes a day.
const maxSteps = 720

func newRecorder(every time.Duration, read func(ctx context.Context) (admin.Status, error)) *recorder {
	return &recorder{every: every, read: read, ended: make(chan struct{}), relays: map[string]*watched{}}
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
	r.mu.Lock()
	defer r.mu.Unlock()
	r.note(s, err, time.Now())
}

// note adds a state to the series. The caller holds the lock.
func (r *recorder) note(s admin.Status, err error, now time.Time) {
	if r.err = err; err != nil {
		r.at = time.Time{} // what is between would be taken for one step
		return
	}
	if r.at.IsZero() {
		for _, in := range s.Relays {
			r.relays[in.Owner] = r.watch(in)
		}
	} else {
		r.happened(r.last, s, now)
		p := r.step(s, now)
		r.fine.add(p, maxSteps)
		if r.coarse.open(now, coarser*r.every) {
			r.coarse.add(p, maxSteps)
		} else {
			r.coarse.merge(p)
		}
	}
	r.last, r.at = s, now
}

// watched is a relay as it was last read. Relays announce themselves less often
// than they are read, so a step counts what a relay did a second between its last
// two announcements.
type watched struct {
	admin.Relay
	rates map[string]figures // a second
	busy  float64            // a second
}

// longest is how long a relay may be silent until nothing is assumed of it.
const longest = 30 * time.Second

// step is what happened between the last state and this one.
func (r *recorder) step(s admin.Status, now time.Time) point {
	p := point{At: now, Took: now.Sub(r.at), Types: map[string]figures{}}
	relays := map[string]*watched{}
	for _, in := range s.Relays {
		w := r.watch(in)
		relays[in.Owner] = w
		for name, f := range w.rates {
			one := f.times(p.Took.Seconds())
			of := p.Types[name]
			of.add(one)
			p.Types[name] = of
			p.Total.add(one)
		}
		p.Busy += w.busy * p.Took.Seconds()
	}
	r.relays = relays
	p.Waiting, p.Dead = s.Waiting.N+s.Held.N, s.Dead.N
	if !s.Waiting.More && !r.last.Waiting.More { // what is not known to be held is among them
		n := float64(p.Waiting-(r.last.Waiting.N+r.last.Held.N)) + p.Total.Delivered + p.Total.Dead
		p.Written, p.WrittenKnown = max(n, 0), true
	}
	return p
}

// watch returns what is known of a relay that has announced itself.
func (r *recorder) watch(in admin.Relay) *watched {
	old, known := r.relays[in.Owner]
	if !known {
		old = &watched{Relay: admin.Relay{StartedAt: in.StartedAt, SeenAt: in.StartedAt}}
		if in.SeenAt.Sub(in.StartedAt) > longest { // what it did before is not of now
			old.Relay = in
		}
	}
	took := in.SeenAt.Sub(old.SeenAt)
	if took <= 0 {
		return old
	}
	w := &watched{Relay: in, rates: map[string]figures{}, busy: (in.Figures.Busy - old.Figures.Busy) / took.Seconds()}
	before := map[string]admin.TypeFigures{}
	for _, t := range old.Figures.Types {
		before[t.Type] = t
	}
	for _, t := range in.Figures.Types {
		f := between(before[t.Type], t)
		w.rates[t.Type] = f.times(1 / took.Seconds())
	}
	return w
}

// between is what a relay did with a type from one announcement to the next.
func between(before, now admin.TypeFigures) figures {
	more := func(a, b int64) float64 { return float64(max(b-a, 0)) }
	f := figures{
		Delivered: more(before.Delivered, now.Delivered), Hot: more(before.Hot, now.Hot),
		Failed: more(before.Failed, now.Failed), Dead: more(before.Dead, now.Dead),
	}
	old := map[float64]int64{}
	for _, b := range before.Ages {
		old[b.Below] = b.N
	}
	for _, b := range now.Ages {
		f.Ages[driver.AgeBucket(time.Duration(b.Below*float64(time.Second))-time.Microsecond)] += more(old[b.Below], b.N)
	}
	return f
}

// state returns the last state, and why there is no newer one.
func (r *recorder) state() (s admin.Status, known bool, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.last, r.last.Type != "", r.err
}
