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
// again for the rest. Letters that come while it runs, such as those that it
// retries in vain, are not its business. Two jobs at once change each letter
// once.
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
		results, err := Apply(ctx, s, j.Action, j.Act, ids(page))
		if err != nil {
			return r, err
		}
		r.add(results)
		if j.Progress != nil {
			j.Progress(r)
		}
		if err := j.pace(ctx, start, r); err != nil {
			return r, err
		}
	}
}

// ids returns the ids of letters, each once: an id that died twice has two.
func ids(page []driver.DeadLetter) []string {
	out, seen := make([]string, 0, len(page)), map[string]bool{}
	for _, l := range page {
		if !seen[l.Event.ID] {
			seen[l.Event.ID] = true
			out = append(out, l.Event.ID)
		}
	}
	return out
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
