package job

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/dlq"
	"github.com/sendoff-go/outbox/driver"
)

// Store holds the jobs and what they change. Every store of this project
// implements it.
type Store interface {
	driver.JobStore
	driver.DeadLetterStore
	driver.EventStore
	driver.ReplayStore
	driver.EraseStore
	driver.InstanceStore
}

// The reasons why [Start], [Consent] and [Cancel] refuse.
var (
	ErrNobody   = errors.New("job: set Act.By to the person who does this")
	ErrNotFound = errors.New("job: no job has this id")
	ErrSame     = errors.New("job: the person who started a job cannot allow it: ask somebody else")
	ErrDecided  = errors.New("job: the job no longer waits for this decision")
	ErrTaken    = errors.New("job: a job of somebody else, or with another action or filter, has this id: choose a new id")
)

// Count returns how many rows a job would change now, counted up to a bound. For
// an erasure it counts events and dead letters together.
func Count(ctx context.Context, s Store, spec Spec) (n driver.Count, err error) {
	if err := spec.Validate(); err != nil {
		return n, err
	}
	switch spec.Action {
	case Replay:
		route, err := RouteOf(ctx, s, spec)
		if err != nil {
			return n, err
		}
		spec.Types = route.Types
		for _, lane := range spec.lanes() {
			more, err := s.CountEvents(ctx, spec.delivered(lane))
			if err != nil {
				return n, err
			}
			n.N, n.More = n.N+more.N, n.More || more.More
		}
		return n, nil
	case Erase:
		if n, err = s.CountEvents(ctx, spec.Filter.events("")); err != nil {
			return n, err
		}
		for _, f := range []driver.DeadFilter{spec.Filter.letters(), spec.Filter.resolved()} {
			more, err := s.CountDead(ctx, f)
			if err != nil {
				return n, err
			}
			n.N, n.More = n.N+more.N, n.More || more.More
		}
		return n, nil
	}
	match, err := dlq.ParsePayloadMatch(spec.Filter.Payload)
	if err != nil {
		return n, err
	}
	return dlq.CountMatching(ctx, s, spec.Filter.letters(), match)
}

// Start counts what a job would change, and stores the job. It runs as soon as a
// [Runner] claims it, or after [Consent] if more than ConsentOver rows match. A
// job without consent never changes more than ConsentOver rows. It leaves alone
// letters that die after the count and, unless it is an erasure, events that are
// delivered after it.
//
// If the answer to the database is lost, the job may have been stored and Start
// returns an error all the same. To try again without starting a second job, choose
// [Spec.ID] before the first try: once a job has that id, Start returns it.
func Start(ctx context.Context, s Store, spec Spec, a driver.Act) (driver.Job, error) {
	if a.By == "" {
		return driver.Job{}, ErrNobody
	}
	if err := spec.Validate(); err != nil {
		return driver.Job{}, err
	}
	if spec.ID != "" {
		if j, found, err := started(ctx, s, spec, a); found || err != nil {
			return j, err
		}
	}
	asked := spec
	asked.ID = cmp.Or(spec.ID, outbox.NewID())
	route, err := RouteOf(ctx, s, spec)
	if err != nil {
		return driver.Job{}, err
	}
	spec.Types = route.Types
	n, err := Count(ctx, s, spec)
	if err != nil {
		return driver.Job{}, err
	}
	if spec, err = bounded(ctx, s, spec); err != nil {
		return driver.Job{}, err
	}
	state := driver.JobRunning
	if spec.ConsentOver > 0 && (n.N > spec.ConsentOver || n.More) {
		state, spec.ConsentOver = driver.JobWaiting, 0 // consent allows all of it
	}
	text, err := json.Marshal(spec)
	if err != nil {
		return driver.Job{}, fmt.Errorf("job: encode the spec: %w", err)
	}
	if len(text) > maxSpec {
		return driver.Job{}, bad("the filter is too long: shorten its texts")
	}
	j := driver.Job{ID: asked.ID, Action: string(spec.Action), Spec: text, Act: a, Matches: n, State: state}
	added, err := s.AddJob(ctx, j)
	if err != nil {
		return driver.Job{}, err
	}
	now, found, err := started(ctx, s, asked, a)
	switch {
	case found && err == nil:
		return now, nil
	case added:
		return j, nil // it was stored, even if it cannot be read back now
	}
	return driver.Job{}, cmp.Or(err, ErrTaken)
}

// started returns the job that an earlier try has stored, or [ErrTaken] if another
// one has the id.
func started(ctx context.Context, s Store, asked Spec, a driver.Act) (j driver.Job, found bool, err error) {
	j, found, err = s.GetJob(ctx, asked.ID)
	if err != nil || !found {
		return j, found, err
	}
	if spec, err := SpecOf(j); err != nil || !samePerson(j.By, a.By) || !spec.answers(asked) {
		return driver.Job{}, true, ErrTaken
	}
	return j, true, nil
}

// maxSpec is how many bytes of JSON every store can keep.
const maxSpec = 60_000

// bounded excludes letters that die after the count, by the database's clock.
func bounded(ctx context.Context, s Store, spec Spec) (Spec, error) {
	if spec.Action == Replay || spec.Action == Erase {
		return spec, nil
	}
	latest, _, err := s.ListDead(ctx, driver.DeadFilter{}, nil, 1)
	if err != nil {
		return spec, err
	}
	end := time.Unix(1, 0).UTC() // there are no letters: match none
	if len(latest) > 0 {
		end = latest[0].DiedAt.Add(time.Microsecond)
	}
	if spec.Filter.Before.IsZero() || spec.Filter.Before.After(end) {
		spec.Filter.Before, spec.All = end, false
	}
	return spec, nil
}

// Consent lets a waiting job run. It must come from somebody other than the
// person who started the job.
func Consent(ctx context.Context, s Store, id string, a driver.Act) (driver.Job, error) {
	return decide(ctx, s, id, driver.JobConsent, a)
}

// Cancel ends a job that has not ended. What it has done stays done.
func Cancel(ctx context.Context, s Store, id string, a driver.Act) (driver.Job, error) {
	return decide(ctx, s, id, driver.JobCancel, a)
}

func decide(ctx context.Context, s Store, id string, d driver.JobDecision, a driver.Act) (driver.Job, error) {
	j, found, err := s.GetJob(ctx, id)
	switch {
	case a.By == "":
		return j, ErrNobody
	case err != nil:
		return j, err
	case !found:
		return j, ErrNotFound
	case d == driver.JobConsent && samePerson(j.By, a.By):
		return j, ErrSame
	}
	j, changed, err := s.DecideJob(ctx, id, d, a)
	if err == nil && !changed {
		err = ErrDecided
	}
	return j, err
}

// samePerson compares names as they are stored, ignoring case: some directories
// let one person log in as ann and as Ann.
func samePerson(started, now string) bool {
	plain := func(name string) string { return strings.TrimSpace(driver.CleanText(name, maxActor)) }
	return strings.EqualFold(plain(started), plain(now))
}

// maxActor is how many characters of a name are stored.
const maxActor = 255
