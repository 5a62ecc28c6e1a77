package relay

import (
	"slices"
	"sync"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay/core"
)

// Death is an event that has become a dead letter.
type Death struct {
	Event       outbox.Event
	Attempts    int
	Destination string // where it was not delivered; "" if it had none
	Error       string
	Failures    []driver.Failure // the last ten
}

// maxDeaths bounds the deaths that wait for [Config.Died].
const maxDeaths = 10_000

// deaths queues deaths for [Config.Died].
type deaths struct {
	maxBytes int // of payloads; one death always has room
	wake     wakeup

	mu      sync.Mutex
	waiting []Death
	bytes   int
	lost    int
}

func newDeaths(maxBytes int) *deaths { return &deaths{maxBytes: maxBytes, wake: make(wakeup, 1)} }

func (d *deaths) add(some []Death) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, death := range some {
		size := death.Event.Size()
		if n := len(d.waiting); n == maxDeaths || n > 0 && d.bytes+size > d.maxBytes {
			d.lost++
			continue
		}
		d.waiting = append(d.waiting, death)
		d.bytes += size
	}
	d.wake.signal()
}

func (d *deaths) take() (some []Death, lost int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	some, lost = d.waiting, d.lost
	d.waiting, d.bytes, d.lost = nil, 0, 0
	return some, lost
}

// settled queues the deaths of a batch that is settled in the database.
func (d *deaths) settled(items []*core.Item, decided []core.Outcome, rows []driver.Outcome, stale, locked []driver.Held) {
	var some []Death
	for i, o := range rows {
		if o.Kind != driver.Dead || slices.Contains(stale, o.Held) || slices.Contains(locked, o.Held) {
			continue
		}
		death := Death{Event: decided[i].Event.Clone(), Attempts: o.Attempts, Error: o.Error, Failures: driver.ParseFailures(o.Failures)}
		if items[i].Dest != nil {
			death.Destination = items[i].Dest.Name
		}
		some = append(some, death)
	}
	if len(some) > 0 {
		d.add(some)
	}
}
