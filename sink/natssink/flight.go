package natssink

import (
	"errors"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/sink/internal/keyrow"
)

// flight holds the messages of one Send: which may go out, which wait for
// another, and the outcome of each. Answers that arrive after Send has returned
// change nothing.
//
// NATS does not keep the order when one message fails and a later one succeeds.
// So each message of a key and subject goes out after the one before it was
// acknowledged. Messages without a key are in flight together.
type flight struct {
	keyrow.Rows
	subjects []string // a copy: the caller may reuse the batch when Send has returned

	known *streams
	slots chan struct{} // of the window
	wake  chan struct{} // something is ready
	done  chan struct{} // closed when all are answered
	gone  chan struct{} // closed when Send no longer waits

	mu      sync.Mutex
	state   []state
	errs    []error
	ready   []int // to be sent, in this order
	gates   map[string]*gate
	left    int
	started bool // something may be in flight
	over    bool
}

type state uint8

const (
	idle    state = iota
	waiting       // to be sent
	begun         // in flight, with a slot of the window
	heard
)

// newFlight takes the messages that have no error yet. Subjects that are not
// known to have a stream start with a gate.
func newFlight(batch []outbox.Message, errs []error, known *streams, slots chan struct{}) *flight {
	f := &flight{
		Rows:     keyrow.Of(batch, errs, func(i int) string { return batch[i].Destination }),
		subjects: make([]string, len(batch)), known: known, slots: slots,
		wake: make(chan struct{}, 1), done: make(chan struct{}), gone: make(chan struct{}),
		state: make([]state, len(batch)), errs: make([]error, len(batch)), gates: map[string]*gate{},
	}
	asked := map[string]bool{}
	for i := range batch {
		f.subjects[i] = batch[i].Destination
		if errs[i] != nil {
			continue
		}
		f.state[i] = waiting
		f.left++
		if subject := batch[i].Destination; !asked[subject] {
			asked[subject] = true
			if !known.has(subject) {
				f.gates[subject] = &gate{opener: -1}
			}
		}
	}
	for _, i := range f.Heads {
		f.admit(i)
	}
	return f
}

// admit makes message i ready, or lets it wait at the gate of its subject.
func (f *flight) admit(i int) {
	switch g := f.gates[f.subjects[i]]; {
	case g == nil:
	case g.refused:
		f.settle(i, nats.ErrNoResponders)
		return
	case g.opener < 0:
		g.opener = i
	case g.opener != i:
		g.add(i)
		return
	}
	f.ready = append(f.ready, i)
	select {
	case f.wake <- struct{}{}:
	default:
	}
}

// next returns the message to send now, if there is one.
func (f *flight) next() (i int, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for !f.over && len(f.ready) > 0 {
		i, f.ready = f.ready[0], f.ready[1:]
		if f.state[i] != waiting {
			continue
		}
		if g := f.gates[f.subjects[i]]; g != nil && g.opener != i { // the gate has closed since
			f.admit(i)
			continue
		}
		return i, true
	}
	return 0, false
}

// begin notes that message i goes out, with a slot. It returns false if Send no
// longer waits.
func (f *flight) begin(i int) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.over || f.state[i] != waiting {
		return false
	}
	f.state[i] = begun
	return true
}

// note takes the answer to message i.
func (f *flight) note(i int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.over || i >= len(f.state) || f.state[i] != begun {
		return
	}
	<-f.slots
	f.state[i] = waiting
	if errors.Is(err, nats.ErrNoResponders) {
		f.unheard(i)
		return
	}
	if answered(err) {
		f.known.add(f.subjects[i])
	}
	f.settle(i, err)
	f.open(i, err)
}

// settle ends message i. The next one of its row may go, unless it would
// overtake it.
func (f *flight) settle(i int, err error) {
	for {
		f.state[i], f.errs[i] = heard, err
		if f.left--; f.left == 0 {
			close(f.done)
		}
		after := f.After[i]
		if after < 0 {
			return
		}
		if err == nil || final(err) {
			f.admit(after)
			return
		}
		i, err = after, behind(err)
	}
}

// fail ends all messages that have no answer.
func (f *flight) fail(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.failLocked(err)
}

func (f *flight) failLocked(err error) {
	if f.over {
		return
	}
	for i, st := range f.state {
		if st != waiting && st != begun {
			continue
		}
		f.state[i], f.errs[i] = heard, err
		if st == begun {
			<-f.slots
			f.errs[i] = driver.Uncertain(err)
		}
		if f.left--; f.left == 0 {
			close(f.done)
		}
	}
}

// start notes that there was a connection.
func (f *flight) start() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.started = true
}

// lose ends the flight with its connection. What has not been sent does not go
// out on the next connection: it might overtake what was lost on this one.
func (f *flight) lose(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.started {
		f.failLocked(err)
	}
}

// take ends the wait: messages without an answer fail with why.
func (f *flight) take(errs []error, why error) {
	f.fail(why)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.over = true
	close(f.gone)
	for i, st := range f.state {
		if st == heard {
			errs[i] = f.errs[i]
		}
	}
}

// retry sends message i again after a delay.
func (f *flight) retry(i int) {
	time.AfterFunc(electionWait, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		if !f.over && f.state[i] == waiting {
			f.admit(i)
		}
	})
}
