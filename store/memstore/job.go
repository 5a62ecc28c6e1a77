package memstore

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// AddJob implements [driver.JobStore].
func (s *Store) AddJob(ctx context.Context, j driver.Job) (bool, error) {
	if err := s.lock(ctx); err != nil {
		return false, err
	}
	defer s.mu.Unlock()
	if s.jobs[j.ID] != nil {
		return false, nil
	}
	now := s.now()
	s.jobs[j.ID] = &driver.Job{
		ID: j.ID, Action: j.Action, Spec: slices.Clone(j.Spec), Act: j.Act, Matches: j.Matches, State: j.State,
		CreatedAt: now, ChangedAt: now,
	}
	s.audit(j.Act, driver.AuditJob, j.ID, j.Started())
	return true, nil
}

// GetJob implements [driver.JobStore].
func (s *Store) GetJob(ctx context.Context, id string) (driver.Job, bool, error) {
	if err := s.lock(ctx); err != nil {
		return driver.Job{}, false, err
	}
	defer s.mu.Unlock()
	j := s.jobs[id]
	if j == nil {
		return driver.Job{}, false, nil
	}
	return copyJob(j), true, nil
}

// copyJob shares no memory with the stored job.
func copyJob(j *driver.Job) driver.Job {
	c := *j
	c.Spec, c.Position = slices.Clone(c.Spec), slices.Clone(c.Position)
	return c
}

// ListJobs implements [driver.JobStore].
func (s *Store) ListJobs(ctx context.Context, f driver.JobFilter, before string, limit int) (all []driver.Job, next string, err error) {
	if err := s.lock(ctx); err != nil {
		return nil, "", err
	}
	defer s.mu.Unlock()
	for _, j := range s.jobs {
		if (before == "" || j.ID < before) && (f.State == "" || j.State == f.State) && (f.Action == "" || j.Action == f.Action) {
			all = append(all, copyJob(j))
		}
	}
	slices.SortFunc(all, func(a, b driver.Job) int { return cmp.Compare(b.ID, a.ID) })
	if limit > 0 && len(all) > limit {
		next = all[limit-1].ID
	}
	return all[:min(len(all), max(limit, 0))], next, nil
}

// ClaimJob implements [driver.JobStore].
func (s *Store) ClaimJob(ctx context.Context, id string, owner driver.Owner, lease time.Duration) (driver.Job, bool, error) {
	if err := s.lock(ctx); err != nil {
		return driver.Job{}, false, err
	}
	defer s.mu.Unlock()
	now := s.now()
	var due *driver.Job
	for _, j := range s.jobs {
		free := !j.HeldUntil.After(now) || id != "" && j.Owner == owner
		if j.State == driver.JobRunning && free && (id == "" || id == j.ID) && (due == nil || j.ID < due.ID) {
			due = j
		}
	}
	if due == nil {
		return driver.Job{}, false, nil
	}
	due.Turn++
	due.Owner, due.HeldUntil, due.ChangedAt = owner, now.Add(lease), now
	return copyJob(due), true, nil
}

// StepJob implements [driver.JobStore].
func (s *Store) StepJob(ctx context.Context, step driver.JobStep) error {
	if err := s.lock(ctx); err != nil {
		return err
	}
	defer s.mu.Unlock()
	if err := s.fits(step); err != nil {
		return err
	}
	s.step(step)
	return nil
}

// fits reports whether a step may be recorded. It is called with the lock held.
func (s *Store) fits(step driver.JobStep) error {
	if j := s.jobs[step.ID]; j == nil || j.Turn != step.Turn || j.State != driver.JobRunning {
		return driver.ErrJobLost
	}
	return nil
}

// mayStep reports whether a bulk call may be made. It must be asked first, since
// this store cannot roll a call back. It is called with the lock held.
func (s *Store) mayStep(ctx context.Context) error {
	if step, ok := driver.StepOf(ctx); ok {
		return s.fits(step)
	}
	return nil
}

// step records a step that fits. It is called with the lock held.
func (s *Store) step(step driver.JobStep) {
	j, now := s.jobs[step.ID], s.now()
	j.Turn++
	j.Position, j.State, j.ChangedAt, j.Error = slices.Clone(step.Position), step.State, now, step.Error
	j.HeldUntil = now.Add(step.Lease)
	j.Add(step.JobTally)
	if j.State.Ended() {
		j.Owner, j.HeldUntil, j.EndedAt = "", time.Time{}, now
		s.audit(driver.Act{By: j.By, Note: j.Error}, driver.AuditJobEnd, j.ID, j.Told())
	}
}

// DecideJob implements [driver.JobStore].
func (s *Store) DecideJob(ctx context.Context, id string, d driver.JobDecision, a driver.Act) (driver.Job, bool, error) {
	if err := s.lock(ctx); err != nil {
		return driver.Job{}, false, err
	}
	defer s.mu.Unlock()
	j, now := s.jobs[id], s.now()
	switch {
	case j == nil:
		return driver.Job{}, false, nil
	case j.State != driver.JobWaiting && (j.State != driver.JobRunning || d == driver.JobConsent):
		return copyJob(j), false, nil
	}
	j.Turn++
	j.State, j.DecidedBy, j.ChangedAt, j.Owner, j.HeldUntil = d.State(), a.By, now, "", time.Time{}
	if j.State.Ended() {
		j.EndedAt = now
	}
	s.audit(a, d.Audit(), j.ID, j.Told())
	return copyJob(j), true, nil
}

// SweepJobs implements [driver.JobStore].
func (s *Store) SweepJobs(ctx context.Context, sweep driver.JobSweep) (expired, deleted int, err error) {
	if err := s.lock(ctx); err != nil {
		return 0, 0, err
	}
	defer s.mu.Unlock()
	now := s.now()
	for _, id := range slices.Sorted(maps.Keys(s.jobs)) { // the oldest first
		j := s.jobs[id]
		switch {
		case s.held[id] > 0: // it stays as it is
		case j.State == driver.JobWaiting && now.Sub(j.CreatedAt) >= sweep.Waiting && expired < sweep.Limit:
			j.Turn++
			j.State, j.Error, j.ChangedAt, j.EndedAt = driver.JobExpired, driver.NobodyAllowed, now, now
			s.audit(driver.Act{By: j.By, Note: j.Error}, driver.AuditJobEnd, j.ID, j.Told())
			expired++
		case j.State.Ended() && now.Sub(j.EndedAt) >= sweep.Ended && deleted < sweep.Limit:
			delete(s.jobs, id)
			deleted++
		}
	}
	return expired, deleted, nil
}
