package relay

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// outages knows since when destinations have been down, and why, for operators.
// An outage lasts until its destination is back: trials in between do not begin a
// new one. The zero value is ready to use and safe for concurrent use.
type outages struct {
	mu sync.Mutex
	of map[string]outage
}

type outage struct {
	began  time.Time
	reason string
	ready  time.Time // when it became half-open, or was last tried since; zero: it is not half-open
}

// untried is for how long a half-open destination counts as down although no event
// tries it: perhaps none is left that would show that it is back.
const untried = time.Minute

func (o outage) over() bool { return !o.ready.IsZero() && time.Since(o.ready) > untried }

// halfOpened notes that events may try the destination.
func (o *outages) halfOpened(target string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if out, known := o.of[target]; known {
		out.ready = time.Now()
		o.of[target] = out
	}
}

// tried notes when an event last tried each half-open destination. Nothing else says
// so while a trial hangs, or while several fail one after the other.
func (o *outages) tried(at map[string]time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for target, then := range at {
		if out, known := o.of[target]; known && then.After(out.ready) && !out.ready.IsZero() && !out.over() {
			out.ready = then
			o.of[target] = out
		}
	}
}

func (o *outages) began(target string, err error) {
	reason := ""
	if err != nil {
		reason = driver.CleanText(err.Error(), driver.MaxDownReason)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.of == nil {
		o.of = map[string]outage{}
	}
	began := time.Now()
	if before, known := o.of[target]; known && !before.over() {
		began = before.began
	}
	o.of[target] = outage{began: began, reason: reason}
}

func (o *outages) ended(target string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.of, target)
}

// announce describes the destinations with these names, with their lanes and
// whether there are more. If there are too many destinations, it describes those
// that are down, and then the first by name.
func (o *outages) announce(names []string, lanes map[string][]string, more map[string]bool) []driver.InstanceDestination {
	o.mu.Lock()
	defer o.mu.Unlock()
	var all []driver.InstanceDestination
	for _, name := range names {
		d := driver.InstanceDestination{Name: name, Lanes: lanes[name], More: more[name]}
		if out, down := o.of[name]; down && !out.over() {
			d.Down, d.Reason = max(time.Since(out.began), time.Millisecond), out.reason
		}
		all = append(all, d)
	}
	slices.SortFunc(all, func(a, b driver.InstanceDestination) int {
		return cmp.Or(cmp.Compare(min(b.Down, 1), min(a.Down, 1)), cmp.Compare(a.Name, b.Name))
	})
	return all[:min(len(all), driver.MaxInstanceDestinations)]
}
