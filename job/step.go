package job

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/dlq"
	"github.com/sendoff-go/outbox/driver"
)

// The sizes of batches. The rows of a batch are in memory together, with their
// payloads, and change in one transaction. The size of the payloads in one batch
// decides how many rows the next one has.
const (
	firstBatch = 100
	batchBytes = 8 << 20
)

// longestRest is how long a job with a rate rests at most because a step was slow.
const longestRest = time.Second

// position is how far a job has come: how many phases it has finished, and the
// last row that it looked at in the current one.
type position struct {
	Phase  int                 `json:"phase,omitempty"`
	Letter *driver.DeadCursor  `json:"letter,omitempty"`
	Event  *driver.EventCursor `json:"event,omitempty"`
}

// batch is what one step changes, and the position after it.
type batch struct {
	rows    int
	read    int   // rows, including those that it leaves alone
	again   int64 // conflicts that are known without a call
	payload int   // bytes
	next    *position
	apply   func(ctx context.Context) ([]driver.DeadResult, error)
}

// step finds the next rows and changes them.
func (w *worker) step(ctx context.Context) error {
	if err := w.pace(ctx); err != nil {
		return err
	}
	began := time.Now()
	ctx, cancel := context.WithTimeout(ctx, w.Lease*2/3) // after the lease another runner may have the job
	defer cancel()
	spec, err := SpecOf(w.job)
	if err != nil {
		return w.end(ctx, err)
	}
	at := position{}
	if len(w.job.Position) > 0 {
		if err := json.Unmarshal(w.job.Position, &at); err != nil {
			return w.end(ctx, fmt.Errorf("cannot read the stored position: %w", err))
		}
	}
	limit := w.size(spec)
	w.batch = max(limit/2, 1) // in case this step fails: it may have taken too long

	b, err := w.find(ctx, spec, at, cmp.Or(limit, firstBatch)) // at the bound, look whether more match
	switch {
	case err != nil:
		return err
	case limit == 0 && b.rows > 0:
		return w.end(ctx, fmt.Errorf("changed %d rows, as many as allowed without consent, and more match: start a job for the rest", w.job.Applied))
	}
	s := driver.JobStep{State: driver.JobDone, JobTally: driver.JobTally{Conflicts: b.again}}
	if b.next != nil {
		s.State = driver.JobRunning
		if s.Position, err = json.Marshal(b.next); err != nil {
			return err
		}
	}
	apply := b.apply
	if b.rows == 0 {
		apply = nil
	}
	before := w.job.Applied
	if err := w.note(ctx, s, apply); err != nil {
		return err
	}
	if w.batch = min(10*max(limit, 1), dlq.MaxIDs); b.payload > 0 {
		w.batch = min(w.batch, max(batchBytes*b.read/b.payload, 1))
	}
	if spec.Rate > 0 {
		took, atRate := time.Since(began), time.Duration(w.job.Applied-before)*time.Second/time.Duration(spec.Rate)
		w.due = began.Add(max(atRate, took+min(took, longestRest)))
	}
	return nil
}

// size is how many rows the next step takes; 0 if the job must not change more.
func (w *worker) size(s Spec) int {
	n := cmp.Or(w.batch, firstBatch)
	if s.Rate > 0 {
		n = min(n, s.Rate)
	}
	if s.ConsentOver > 0 {
		n = min(n, int(s.ConsentOver-w.job.Applied))
	}
	return max(n, 0)
}

// phase is a walk over letters or events.
type phase func(ctx context.Context, at position, limit int) (batch, error)

// find finds the next rows, in the current phase.
func (w *worker) find(ctx context.Context, s Spec, at position, limit int) (batch, error) {
	var phases []phase
	switch s.Action {
	case Retry, Resolve, Delete, Note:
		phases = []phase{w.letters(s, s.Filter.letters())}
	case Replay:
		for _, lane := range s.lanes() {
			phases = append(phases, w.events(s, s.delivered(lane)))
		}
	case Erase:
		letters := []phase{w.letters(s, s.Filter.letters()), w.letters(s, s.Filter.resolved())}
		// Meanwhile letters may be retried, and events may die: neither may
		// escape.
		phases = slices.Concat(letters, []phase{w.events(s, s.Filter.events(""))}, letters)
	}
	if at.Phase < 0 || at.Phase >= len(phases) {
		return batch{}, fmt.Errorf("the stored position does not fit the action %q", s.Action)
	}
	b, err := phases[at.Phase](ctx, at, limit)
	switch {
	case b.next != nil:
		b.next.Phase = at.Phase
	case at.Phase+1 < len(phases):
		b.next = &position{Phase: at.Phase + 1}
	}
	return b, err
}

// letters walks over dead letters.
func (w *worker) letters(s Spec, f driver.DeadFilter) phase {
	return func(ctx context.Context, at position, limit int) (b batch, err error) {
		match, err := dlq.ParsePayloadMatch(s.Filter.Payload)
		if err != nil {
			return b, err
		}
		page, next, err := dlq.Find(ctx, w.Store, f, match, at.Letter, limit)
		if err != nil {
			return b, err
		}
		if next != nil {
			b.next = &position{Letter: next}
		}
		b.read = len(page)
		var keys []driver.DeadKey
		for i := range page {
			l := &page[i]
			b.payload += len(l.Event.Payload())
			if s.Action == Retry && w.later(l) {
				b.again++
				continue
			}
			keys = append(keys, l.Key())
		}
		b.rows = len(keys)
		b.apply = func(ctx context.Context) ([]driver.DeadResult, error) {
			ctx = w.audited(ctx, s)
			switch s.Action {
			case Retry:
				return w.Store.ReplayDead(ctx, keys)
			case Resolve:
				return w.Store.ResolveDead(ctx, keys)
			case Delete:
				return w.Store.DeleteDead(ctx, keys)
			case Note:
				return w.Store.NoteDead(ctx, keys, w.job.Note)
			}
			return w.Store.EraseDead(ctx, keys)
		}
		return b, nil
	}
}

// later reports whether the job has already retried a later letter of the same
// id. After a failed step the same letters come again, which does not count.
func (w *worker) later(l *driver.DeadLetter) bool {
	seq, there := w.retried[l.Event.ID]
	if !there {
		w.retried[l.Event.ID] = l.Seq
	}
	return there && seq != l.Seq
}

// events walks over events of the outbox.
func (w *worker) events(s Spec, f driver.EventFilter) phase {
	return func(ctx context.Context, at position, limit int) (b batch, err error) {
		page, next, err := w.Store.ListEvents(ctx, f, at.Event, limit)
		if err != nil {
			return b, err
		}
		if next != nil {
			b.next = &position{Event: next}
		}
		b.read = len(page)
		var ids []string
		var replays []driver.Replay
		for i := range page {
			e := &page[i]
			b.payload += len(e.Event.Payload())
			if s.Action == Replay && e.DoneAt.After(w.job.CreatedAt) {
				continue // it was not counted, or is a copy that this job made
			}
			replay := driver.Replay{EventID: e.EventID}
			if s.NewIDs {
				replay.NewID = outbox.NewID()
			}
			ids, replays = append(ids, e.EventID), append(replays, replay)
		}
		b.rows = len(ids)
		b.apply = func(ctx context.Context) ([]driver.DeadResult, error) {
			if ctx = w.audited(ctx, s); s.Action == Replay {
				return w.Store.ReplayDone(ctx, replays)
			}
			return w.Store.EraseDone(ctx, ids)
		}
		return b, nil
	}
}

// audited attributes a call to the person who started the job. For an erasure the
// audit log has only the job, not which events it blanked.
func (w *worker) audited(ctx context.Context, s Spec) context.Context {
	if s.Action == Erase {
		return ctx
	}
	return driver.WithAct(ctx, w.job.Act)
}
