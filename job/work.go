package job

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/backoff"
)

// tries is how many times in a row a step may fail before the job fails. Failures
// while the database is down do not count.
const tries = 5

// handover is how long giving a job back may take.
const handover = 5 * time.Second

// work runs a job that the owner has claimed until it ends, is lost or ctx is
// done, and returns its last state.
func (r *Runner) work(ctx context.Context, j driver.Job, owner driver.Owner, progress func(driver.Job)) (driver.Job, error) {
	log := r.Logger.With("job", j.ID, "action", j.Action, "by", j.By)
	log.Info("outbox: job started")
	w := &worker{Runner: r, job: j, retried: map[string]int64{}}
	for failed := 0; ; {
		err := w.step(ctx)
		if err == nil {
			if failed = 0; progress != nil {
				progress(w.job)
			}
			if w.job.State.Ended() {
				r.ended(log, w.job)
				return w.job, nil
			}
			continue
		}
		if ctx.Err() != nil {
			w.giveBack()
			return w.job, ctx.Err()
		}
		switch {
		case errors.Is(err, driver.ErrJobLost):
		case errors.Is(err, outbox.ErrStoreDown):
			failed = max(failed, 1)
		default:
			failed++
			log.Warn("outbox: a step of a job failed, will try again", "error", err)
		}
		if failed > 0 && !backoff.Pause(ctx, failed) {
			continue
		}
		found, err := w.again(ctx, owner, failed >= tries, err)
		switch {
		case err != nil: // the next step reports it
		case !found:
			log.Info("outbox: job was cancelled, or another process has it")
			return w.job, nil
		case w.job.State.Ended():
			r.ended(log, w.job)
			return w.job, nil
		}
	}
}

func (r *Runner) ended(log *slog.Logger, j driver.Job) {
	attrs := []any{"applied", j.Applied, "conflicts", j.Conflicts, "gone", j.Gone}
	if j.State == driver.JobFailed {
		log.Error("outbox: job failed", append(attrs, "error", j.Error)...)
		return
	}
	log.Info("outbox: job done", attrs...)
}

// worker runs one job.
type worker struct {
	*Runner
	job     driver.Job
	batch   int              // how many rows the next step takes
	retried map[string]int64 // seqs of the retried letters by id: of several with one id, only the latest goes back
	due     time.Time        // when the next step may begin
}

// again claims the job once more after a failed step, to see whether the step
// took effect after all. It ends the job after too many failures.
func (w *worker) again(ctx context.Context, owner driver.Owner, giveUp bool, cause error) (found bool, err error) {
	j, found, err := w.Store.ClaimJob(ctx, w.job.ID, owner, w.Lease)
	if err != nil || !found {
		return found, err
	}
	if w.job = j; giveUp {
		err = w.end(ctx, cause)
	}
	return true, err
}

// end makes the job fail.
func (w *worker) end(ctx context.Context, cause error) error {
	return w.note(ctx, driver.JobStep{Position: w.job.Position, State: driver.JobFailed, Error: cause.Error()}, nil)
}

// giveBack lets another runner continue at once.
func (w *worker) giveBack() {
	ctx, cancel := context.WithTimeout(context.Background(), handover)
	defer cancel()
	_ = w.Store.StepJob(ctx, driver.JobStep{ID: w.job.ID, Turn: w.job.Turn, Position: w.job.Position, State: driver.JobRunning}) // else it is free after the lease
}

// note makes one step, with a bulk call or without one, and advances the worker
// once the step is stored.
func (w *worker) note(ctx context.Context, s driver.JobStep, bulk func(ctx context.Context) ([]driver.DeadResult, error)) error {
	s.ID, s.Turn, s.Lease = w.job.ID, w.job.Turn, w.Lease
	tally := s.JobTally
	if bulk == nil {
		if err := w.Store.StepJob(ctx, s); err != nil {
			return err
		}
	} else {
		results, err := bulk(driver.WithStep(ctx, s))
		if err != nil {
			return err
		}
		tally.Count(results)
	}
	w.job.Turn++
	w.job.Position, w.job.State, w.job.Error = s.Position, s.State, s.Error
	w.job.Add(tally)
	return nil
}

// pace delays the next step so that the job keeps its rate, and rests as long as its
// last step took: who limits a job wants to protect others, and steps are slow where
// the database is busy. It does not catch up after a slow step: the rate protects
// consumers that are behind.
func (w *worker) pace(ctx context.Context) error {
	t := time.NewTimer(time.Until(w.due))
	defer t.Stop()
	select {
	case <-t.C:
		return ctx.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}
