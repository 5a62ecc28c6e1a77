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
	mu   sync.Mutex
	errs []error // nil when nobody waits any more
	left int
	done chan struct{}
}

// errNoAnswer stands for a record whose outcome has not come.
var errNoAnswer = errors.New("no answer")

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
	for _, i := range todo {
		s.client.TryProduce(era, r.fresh(i), func(_ *kgo.Record, err error) { a.note(i, err) })
	}
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

// await returns when every answer is there, or nobody waits for them any more.
func (s *Sink) await(ctx, era context.Context, a *answers) {
	asking, cancel := context.WithCancel(ctx)
	defer cancel()
	t := time.NewTimer(s.reach.patience)
	defer t.Stop()
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
	if a.left--; a.left == 0 {
		close(a.done)
	}
}

// allRefused are those of the indices whose records were refused.
func allRefused(errs []error, todo []int) []int {
	var some []int
	for _, i := range todo {
		if errs[i] != nil && refused(errs[i]) {
			some = append(some, i)
		}
	}
	return some
}
