package kafkasink

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/sendoff-go/outbox/driver"
)

// answers collects the outcomes of records in flight. The client may call back
// after Send has returned, which must not change the results.
type answers struct {
	mu      sync.Mutex
	errs    []error // nil when Send no longer waits
	handed  []bool  // the client has the record
	left    int
	refused bool // a record was refused
	done    chan struct{}
}

var (
	// errNoAnswer marks a record whose outcome is not known yet.
	errNoAnswer = errors.New("no answer")
	// errHeldBack marks a record that was not handed to the client because one
	// before it was refused.
	errHeldBack = errors.New("held back behind a record that was refused")
)

// produce sends the records with these indices and notes the outcome of each.
//
// The records do not get the context: when it ends for one, the client fails
// all records of its partition, including those of other sends, and starts a
// new epoch. They end by the client's RecordDeliveryTimeout, or all together
// when every broker refuses.
func (s *Sink) produce(ctx context.Context, r *records, todo []int, errs []error) {
	if len(todo) == 0 {
		return
	}
	a := &answers{errs: make([]error, len(errs)), handed: make([]bool, len(errs)), left: len(todo), done: make(chan struct{})}
	for _, i := range todo {
		a.errs[i] = errNoAnswer
	}
	era := s.reach.current()
	// A client whose buffer is full blocks, so this runs in a goroutine and the
	// context still applies. If the client refused the record instead, the next
	// one that fits would overtake it.
	go s.hand(ctx, era, r, todo, a)
	s.await(ctx, era, a)
	a.mu.Lock()
	got := a.errs
	a.errs = nil
	a.mu.Unlock()
	for _, i := range todo {
		none := got[i] == errNoAnswer //nolint:errorlint // it is never wrapped
		switch errs[i] = got[i]; {
		case got[i] == nil:
			s.reach.proven.Store(true)
		case era.Err() != nil && (none || errors.Is(got[i], context.Canceled)):
			errs[i] = context.Cause(era)
		case !none:
		case ctx.Err() != nil:
			errs[i] = context.Cause(ctx)
		default:
			errs[i] = errClosed
		}
		if a.handed[i] && !answered(errs[i]) {
			errs[i] = driver.Uncertain(errs[i])
		}
	}
}

// hand gives records to the client, one Send at a time. It may outlive its Send
// by the one record that waits for room in the client. That record goes before
// any retry, which waits for its turn here.
func (s *Sink) hand(ctx, era context.Context, r *records, todo []int, a *answers) {
	select {
	case s.handing <- struct{}{}:
		defer func() { <-s.handing }()
	case <-ctx.Done():
		return
	case <-s.closed:
		return
	}
	defer s.kick()
	for n, i := range todo {
		err := context.Cause(era)
		if err == nil {
			err = a.begin(i)
		}
		if err != nil {
			for _, later := range todo[n:] {
				a.note(later, err)
			}
			return
		}
		s.client.Produce(era, r.fresh(i, s.now()), func(_ *kgo.Record, err error) { a.note(i, err) })
	}
}

// kick ends the client's linger, which keeps it from sending the first records
// of a part while the others are handed over. The caller holds handing.
func (s *Sink) kick() { _ = s.client.Flush(over) }

// kickInterval is for records of a topic that the client did not know yet: they
// start to linger once it does.
const kickInterval = 20 * time.Millisecond

// over is a context that has ended, so that the flush does not block.
var over = func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}()

// await returns when every answer has arrived, or the Send gives up.
func (s *Sink) await(ctx, era context.Context, a *answers) {
	asking, cancel := context.WithCancel(ctx)
	defer cancel()
	t, again := time.NewTimer(s.reach.patience), time.NewTicker(kickInterval)
	defer t.Stop()
	defer again.Stop()
	verdict := make(chan error, 1)
	for {
		select {
		case <-a.done:
			return
		case <-ctx.Done():
			return
		case <-s.closed:
			return
		case <-era.Done():
			s.dropped(a)
			return
		case <-again.C:
			select {
			case s.handing <- struct{}{}:
				s.kick()
				<-s.handing
			default: // the goroutine that holds handing kicks at its end
			}
		case <-t.C:
			go func() { verdict <- s.refusing(asking) }()
		case err := <-verdict:
			if err != nil {
				s.reach.giveUp(era, err)
			}
			t.Reset(s.reach.patience)
		}
	}
}

// dropped waits for the client to fail the records of an era that has ended,
// which it does at its next attempt to send them.
func (s *Sink) dropped(a *answers) {
	t := time.NewTimer(dropTime)
	defer t.Stop()
	select {
	case <-a.done:
	case <-s.closed:
	case <-t.C:
	}
}

// dropTime is more than the client's longest pause between two attempts.
const dropTime = 2 * time.Second

func (a *answers) note(i int, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.errs == nil {
		return
	}
	a.errs[i] = err
	a.refused = a.refused || err != nil && refused(err)
	if a.left--; a.left == 0 {
		close(a.done)
	}
}

// begin notes that record i is handed to the client, or returns why no more
// records may be.
func (a *answers) begin(i int) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case a.errs == nil:
		return errNoAnswer // no one reads it
	case a.refused:
		return errHeldBack
	}
	a.handed[i] = true
	return nil
}

// allRefused returns the indices whose records were refused, or held back
// behind one that was.
func allRefused(errs []error, todo []int) []int {
	var some []int
	for _, i := range todo {
		if errs[i] != nil && (refused(errs[i]) || errors.Is(errs[i], errHeldBack)) {
			some = append(some, i)
		}
	}
	return some
}
