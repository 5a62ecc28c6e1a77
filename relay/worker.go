package relay

// worker is a goroutine that runs events. One that has nothing to do stays for
// a while: a new goroutine has a small stack, and growing it takes longer than
// everything else between a commit and its listener.
type worker struct{ tasks chan task }

// task is a batch of one lane that is to run at once.
type task struct {
	lane  *lane
	run   *runContext
	batch []*item
}

// maxIdle bounds the workers that wait for work.
const maxIdle = 16

// employ gives a task to a worker that waits, or to a new one.
func (r *Relay) employ(t task) {
	r.employed = true
	if n := len(r.idle); n > 0 {
		w := r.idle[n-1]
		r.idle = r.idle[:n-1]
		w.tasks <- t // has room
		return
	}
	w := &worker{tasks: make(chan task, 1)}
	w.tasks <- t
	r.workers.Go(func() {
		for t := range w.tasks {
			r.work(w, t)
		}
	})
}

// rest lets a worker wait for its next task, or end.
func (r *Relay) rest(w *worker) {
	if r.phase == working && len(r.idle) < maxIdle {
		r.idle = append(r.idle, w)
	} else {
		close(w.tasks)
	}
}

// dismiss ends the workers that wait.
func (r *Relay) dismiss() {
	for _, w := range r.idle {
		close(w.tasks)
	}
	r.idle = nil
}

// work runs events of the task's lane until none is ready.
func (r *Relay) work(w *worker, t task) {
	l, run, batch := t.lane, t.run, t.batch
	var errs []error
	for {
		errs = r.run(run, batch, errs[:0])
		r.mu.Lock()
		l.runs--
		r.finish(batch, errs)
		clear(batch)
		clear(errs)
		if batch = r.next(l, batch[:0]); len(batch) == 0 {
			l.workers--
			r.rest(w)
			r.checkQuiet()
			r.mu.Unlock()
			return
		}
		run = r.startRun(l, batch)
		r.mu.Unlock()
	}
}
