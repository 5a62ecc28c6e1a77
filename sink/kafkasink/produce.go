package kafkasink

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

// answers collects the outcomes of records that are on their way. The client
// may call after the Send has gone, which must then see nothing change.
type answers struct {
	mu      sync.Mutex
	errs    []error // nil when nobody waits any more
	left    int
	refused bool // one of the records was
	done    chan struct{}
}

var (
	// errNoAnswer stands for a record whose outcome has not come.
	errNoAnswer = errors.New("no answer")
	// errHeldBack is that of a record which was not handed to the client, since
	// one before it was refused.
	errHeldBack = errors.New("held back behind a record that was refused")
)

// produce sends the records of these indices and notes what became of each.
//
// The records do not get the context: when it ends for one, the client fails
// all records of its partition, which may be those of other sends, and begins a
// new epoch. They end by the client's RecordDeliveryTimeout, or all together
// when every broker refuses.
func (s *Sink) produce(ctx context.Context, r *records, todo []int, errs []error) {
	if len(todo) == 0 {
		return
	}
	a := &answers{errs: make([]error, len(errs)), left: len(todo), done: make(chan struct{})}
	for _, i := range todo {
		a.errs[i] = errNoAnswer
	}
	era := s.reach.current()
	// A client whose buffer is full blocks: in a goroutine, so that the context
	// still counts. A record that it refused in place of that would be overtaken
	// by the next for which there is room again.
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
	}
}

// hand gives records to the client, one Send at a time. It may outlast its Send
// by the record for which the client has no room yet. That one goes before what
// is sent again, which waits for its turn here.
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
		err := a.stop()
		if err == nil && era.Err() != nil {
			err = context.Cause(era)
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
// of a part while the others are handed over. Whoever calls it holds handing.
func (s *Sink) kick() { _ = s.client.Flush(over) }

// kickInterval is for records of a topic that the client did not know yet: they
// begin to linger when it does.
const kickInterval = 20 * time.Millisecond

// over is a context that has ended: nobody waits for the flush.
var over = func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}()

// await returns when every answer is there, or nobody waits for them any more.
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
			default: // whoever hands over does it in the end
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

// dropped lets the client fail the records of an era that has ended, which it
// does at its next attempt to send them.
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

// stop is why no further record is to be handed over.
func (a *answers) stop() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case a.errs == nil:
		return errNoAnswer // nobody hears it
	case a.refused:
		return errHeldBack
	}
	return nil
}

// allRefused are those of the indices whose records were refused, or held back
// for one that was.
func allRefused(errs []error, todo []int) []int {
	var some []int
	for _, i := range todo {
		if errs[i] != nil && (refused(errs[i]) || errors.Is(errs[i], errHeldBack)) {
			some = append(some, i)
		}
	}
	return some
}
