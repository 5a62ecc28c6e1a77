package dlq

import (
	"context"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// Job does something with every letter that a filter matches.
type Job struct {
	Action Action
	Filter driver.DeadFilter
	Act    driver.Act
	// Batch is how many letters one transaction changes, at most [MaxIDs].
	// Default 500.
	Batch int
	// Rate is how many letters are changed a second. Default: no limit.
	Rate int
	// Progress, if set, is called after every batch, by the caller's goroutine.
	Progress func(Report)
}

// Report is what a job has done so far.
type Report struct {
	Applied   int `json:"applied"`
	Conflicts int `json:"conflicts"` // an event of that id is in the outbox again
	Gone      int `json:"gone"`      // somebody else was faster
}

// Run runs a job from the latest letter to the earliest, one transaction after
// the other. What it has done stays done if it fails or its context ends: run it
// again for the rest. It changes just the letters that it found: one that was
// resolved, retried or deleted meanwhile is left alone, and so is one that comes
// while it runs, such as that of an event that it retries in vain. Two jobs at
// once change each letter once.
func Run(ctx context.Context, s driver.DeadLetterStore, j Job) (r Report, err error) {
	if j.Batch <= 0 || j.Batch > MaxIDs {
		j.Batch = 500
	}
	if j.Rate > 0 {
		j.Batch = min(j.Batch, j.Rate)
	}
	start := time.Now()
	var after *driver.DeadCursor
	for {
		page, err := s.ListDead(ctx, j.Filter, after, j.Batch)
		if err != nil || len(page) == 0 {
			return r, err
		}
		last := page[len(page)-1]
		after = &driver.DeadCursor{DiedAt: last.DiedAt, EventID: last.Event.ID}
		keys, again := j.keys(page)
		results, err := apply(ctx, s, j.Action, j.Act, keys)
		if err != nil {
			return r, err
		}
		r.add(results)
		r.Conflicts += again
		if j.Progress != nil {
			j.Progress(r)
		}
		if err := j.pace(ctx, start, r); err != nil {
			return r, err
		}
	}
}

// keys names the letters of a page. Of several of one id only the latest can be
// retried; the others would meet it in the outbox.
func (j *Job) keys(page []driver.DeadLetter) (keys []driver.DeadKey, again int) {
	seen := map[string]bool{}
	for i := range page {
		k := page[i].Key()
		if j.Action == Retry && seen[k.EventID] {
			again++
			continue
		}
		seen[k.EventID] = true
		keys = append(keys, k)
	}
	return keys, again
}

func (r *Report) add(results []driver.DeadResult) {
	for _, result := range results {
		switch result.Status {
		case driver.DeadApplied:
			r.Applied++
		case driver.DeadConflict:
			r.Conflicts++
		case driver.DeadNotFound:
			r.Gone++
		}
	}
}

// pace waits until no more than Rate letters a second were changed.
func (j *Job) pace(ctx context.Context, start time.Time, r Report) error {
	if j.Rate <= 0 {
		return ctx.Err()
	}
	due := start.Add(time.Duration(r.Applied) * time.Second / time.Duration(j.Rate))
	t := time.NewTimer(time.Until(due))
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
