package kafkasink

import (
	"context"
	"errors"
	"sync"

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

var background = context.Background()

// errNoAnswer stands for a record whose outcome has not come.
var errNoAnswer = errors.New("no answer")

// produce sends the records of these indices and notes what became of each.
//
// The records do not get the context: when it ends for one, the client fails
// all records of its partition, which may be those of other sends, and begins a
// new epoch. They end by the client's RecordDeliveryTimeout.
func (s *Sink) produce(ctx context.Context, r *records, todo []int, errs []error) {
	if len(todo) == 0 {
		return
	}
	a := &answers{errs: make([]error, len(errs)), left: len(todo), done: make(chan struct{})}
	for _, i := range todo {
		a.errs[i] = errNoAnswer
	}
	for _, i := range todo {
		s.client.TryProduce(background, r.fresh(i), func(_ *kgo.Record, err error) { a.note(i, err) })
	}
	select {
	case <-a.done:
	case <-ctx.Done():
	case <-s.closed:
	}
	a.mu.Lock()
	got := a.errs
	a.errs = nil
	a.mu.Unlock()
	for _, i := range todo {
		if errs[i] = got[i]; got[i] != errNoAnswer { //nolint:errorlint // it is never wrapped
			continue
		}
		if errs[i] = context.Cause(ctx); errs[i] == nil {
			errs[i] = errClosed
		}
	}
}

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
