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
	// Batch is how many letters one transaction changes, at most [MaxIDs]. They
	// are in memory together, with their payloads. Default 100.
	Batch int
	// Rate is how many letters are changed a second. Default: no limit.
	Rate int
	// Limit is how many letters it changes, at most; [Report.More] then says
	// whether some are left. Default: no limit.
	Limit int
	// Progress, if set, is called after every batch, by the caller's goroutine.
	Progress func(Report)
}

// Report is what a job has done so far.
type Report struct {
	Applied   int `json:"applied"`
	Conflicts int `json:"conflicts"` // an event of that id is in the outbox again, or was retried
	Gone      int `json:"gone"`      // somebody else was faster
	// More is true if the job ended at its limit, and there are more letters.
	More bool `json:"more"`
}

// Run runs a job from the latest letter to the earliest, one transaction after
// the other. What it has done stays done if it fails or its context ends: run it
// again for the rest. It changes just the letters that it found: one that was
// resolved, retried or deleted meanwhile is left alone, and so is one that comes
// while it runs, such as that of an event that it retries in vain. Of an id that
// died more than once only the latest letter is retried: its payload may be
// newer. Two jobs at once change each letter once.
func Run(ctx context.Context, s driver.DeadLetterStore, j Job) (r Report, err error) {
	if j.Batch <= 0 || j.Batch > MaxIDs {
		j.Batch = 100
	}
	if j.Rate > 0 {
		j.Batch = min(j.Batch, j.Rate)
	}
	var after *driver.DeadCursor
	retried := map[string]bool{}
	for {
		start, before := time.Now(), r.Applied
		batch := j.Batch
		if j.Limit > 0 {
			batch = min(batch, j.Limit-r.Applied)
		}
		page, next, err := s.ListDead(ctx, j.Filter, after, max(batch, 1))
		if err != nil {
			return r, err
		}
		if batch == 0 {
			r.More = len(page) > 0 || next != nil
			return r, nil
		}
		after = next
		keys, again := j.keys(page, retried)
		results, err := apply(ctx, s, j.Action, j.Act, keys)
		if err != nil {
			return r, err
		}
		r.Add(results)
		r.Conflicts += again
		if j.Progress != nil && len(page) > 0 {
			j.Progress(r)
		}
		if next == nil {
			return r, nil
		}
		if err := j.pace(ctx, start, r.Applied-before); err != nil {
			return r, err
		}
	}
}

// keys names the letters of a page, without those whose id was retried before.
func (j *Job) keys(page []driver.DeadLetter, retried map[string]bool) (keys []driver.DeadKey, again int) {
	for i := range page {
		k := page[i].Key()
		if retried[k.EventID] {
			again++
			continue
		}
		retried[k.EventID] = j.Action == Retry
		keys = append(keys, k)
	}
	return keys, again
}

// Add counts what happened to letters.
func (r *Report) Add(results []driver.DeadResult) {
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

// pace waits until a batch has taken as long as its letters may take. What was
// slower than that is not made up for: the rate protects those who are behind.
func (j *Job) pace(ctx context.Context, start time.Time, applied int) error {
	if j.Rate <= 0 {
		return ctx.Err()
	}
	t := time.NewTimer(time.Until(start.Add(time.Duration(applied) * time.Second / time.Duration(j.Rate))))
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
