package relay

import (
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sendoff-go/outbox/relay/core"
)

// staff is the goroutines that run events. An idle one stays for a while: a new
// goroutine has a small stack, and growing it takes longer than everything else
// between a commit and its listener.
type staff struct {
	steps      *stepper
	delivery   *delivery
	classifier *classifier
	lone       *lone
	busy       atomic.Int64 // nanoseconds that workers have run events
	all        sync.WaitGroup

	mu     sync.Mutex
	idle   []*worker
	closed bool
}

type worker struct {
	tasks   chan *core.Run
	run     *core.Run // while its destination handles it
	answers []core.Answer
	fx      core.Effects
}

// maxIdle bounds the workers that wait for work.
const maxIdle = 16

func (s *staff) open() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = false
}

// employ gives a run to an idle worker, or to a new one.
func (s *staff) employ(run *core.Run) {
	s.mu.Lock()
	if n := len(s.idle); n > 0 {
		w := s.idle[n-1]
		s.idle = s.idle[:n-1]
		s.mu.Unlock()
		w.tasks <- run // has room
		return
	}
	s.mu.Unlock()
	w := &worker{tasks: make(chan *core.Run, 1)}
	w.tasks <- run
	s.all.Go(func() {
		defer s.outlive(w)
		for run := range w.tasks {
			s.work(w, run)
		}
	})
}

// employLone gives a suspect to a worker of its own.
func (s *staff) employLone(it *core.Item) {
	w := &worker{}
	s.all.Go(func() {
		defer s.outlive(w)
		s.lone.work(w, it)
	})
}

// rest lets a worker wait for its next run, or ends it.
func (s *staff) rest(w *worker) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed && len(s.idle) < maxIdle {
		s.idle = append(s.idle, w)
	} else {
		close(w.tasks)
	}
}

// dismiss ends the idle workers, and each other one when it becomes idle.
func (s *staff) dismiss() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	for _, w := range s.idle {
		close(w.tasks)
	}
	s.idle = nil
}

// work runs events until none is ready.
func (s *staff) work(w *worker, run *core.Run) {
	for run != nil {
		run = s.runOne(w, run)
	}
	s.rest(w)
}

// runOne makes one run and returns the next.
func (s *staff) runOne(w *worker, run *core.Run) *core.Run {
	w.run = run
	w.answers = s.delivery.deliver(run, w.answers[:0])
	w.run = nil
	s.busy.Add(int64(time.Since(run.Items[0].Started())))
	s.steps.decide(&w.fx, func(c *core.Core) { c.Runs.Finished(run, w.answers) })
	clear(w.answers)
	next := s.steps.startRuns(&w.fx)
	s.steps.finish(&w.fx)
	return next
}

var errGoexit = errors.New("relay: the listener, check or handler ended its goroutine with runtime.Goexit")

// outlive is deferred: a listener that ends its goroutine must not skip the
// worker's bookkeeping.
func (s *staff) outlive(w *worker) {
	run := w.run
	if run == nil {
		return
	}
	if p := recover(); p != nil {
		panic(p) // not a listener's: those are caught where it is called
	}
	cancelRun(run)
	answers := s.classifier.answersFor(run, errGoexit)
	s.steps.step(func(c *core.Core) { c.Runs.Finished(run, answers) })
}

// giveUp settles the events of a run that ignores the end of its context. That
// asks the retry policy, and leases must not wait for it.
func (s *staff) giveUp(run *core.Run) {
	s.all.Go(func() {
		answers := s.classifier.answersFor(run, errTimeout)
		s.steps.step(func(c *core.Core) { c.Runs.GiveUp(run, answers) })
	})
}
