package sqlstore

import (
	"context"
	"math"
	"time"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/internal/stored"
)

// AddJob implements [driver.JobStore].
func (s *Engine) AddJob(ctx context.Context, j driver.Job) (added bool, err error) {
	err = s.run(ctx, s.personCall("add a job", func(ctx context.Context, session *Session) error {
		_, there, err := session.job(ctx, s.queries.JobGet, j.ID)
		if added = !there; err != nil || there {
			return err
		}
		_, err = session.Exec(ctx, s.queries.JobAdd, nil, j.ID, j.Action, string(j.Spec), driver.CleanText(j.By, maxActor),
			driver.CleanText(j.Note, driver.MaxErrorLength), j.Matches.N, j.Matches.More, string(j.State))
		switch {
		case err != nil && s.dialect.Fault(err) == FaultDuplicate:
			return errAgain // somebody added it since
		case err != nil:
			return err
		}
		return session.audit(ctx, j.Act, driver.AuditJob, j.ID, j.Started())
	}))
	return added && err == nil, err
}

// GetJob implements [driver.JobStore].
func (s *Engine) GetJob(ctx context.Context, id string) (j driver.Job, found bool, err error) {
	err = s.run(ctx, s.personCall("get a job", func(ctx context.Context, session *Session) (err error) {
		j, found, err = session.job(ctx, s.queries.JobGet, id)
		return err
	}).single())
	return j, found, err
}

// job returns the job that a query finds, if any.
func (s *Session) job(ctx context.Context, q Query, args ...any) (driver.Job, bool, error) {
	jobs, err := skipping(ctx, s, q, scanJob, nil, args...)
	if err != nil || len(jobs) == 0 {
		return driver.Job{}, false, err
	}
	return jobs[0], true, nil
}

// scanJob reads one row of job_columns.sql.
func scanJob(rows Rows) (j driver.Job, err error) {
	var spec, position data
	var more flag
	var owner, decided, reason text
	var held, created, changed, ended moment
	if err = rows.Scan(&j.ID, &j.Action, &spec, &j.By, &j.Note, &j.Matches.N, &more, &j.State, &j.Turn, &owner, &position,
		&j.Applied, &j.Conflicts, &j.Gone, &decided, &reason, &held, &created, &changed, &ended); err != nil {
		return j, err
	}
	j.Spec, j.Position, j.Matches.More = []byte(spec), []byte(position), bool(more)
	j.Owner, j.DecidedBy, j.Error = driver.Owner(owner), string(decided), string(reason)
	j.HeldUntil, j.CreatedAt, j.ChangedAt, j.EndedAt = held.Time, created.Time, changed.Time, ended.Time
	return j, nil
}

// ListJobs implements [driver.JobStore].
func (s *Engine) ListJobs(ctx context.Context, f driver.JobFilter, before string, limit int) (jobs []driver.Job, next string, err error) {
	if limit <= 0 {
		return nil, "", nil
	}
	limit = min(limit, math.MaxInt32-1)
	filtered := f != driver.JobFilter{}
	c := s.personCall("list jobs", func(ctx context.Context, session *Session) (err error) {
		if next = ""; filtered {
			rows, err := session.Query(ctx, s.queries.JobSearchEnd, nil, before, int64(searched-1))
			if next, err = firstOf(rows, err, scanValue[string]); err != nil {
				return err
			}
		}
		rows, err := session.Query(ctx, s.queries.JobList, nil, string(f.State), f.Action, before, next, stored.AtMost(limit+1))
		jobs, err = collect(rows, err, scanJob)
		return err
	})
	if !filtered {
		c = c.single()
	}
	if err := s.run(ctx, c); err != nil {
		return nil, "", err
	}
	if len(jobs) > limit {
		jobs = jobs[:limit]
		next = jobs[limit-1].ID
	}
	return jobs, next, nil
}

// ClaimJob implements [driver.JobStore].
func (s *Engine) ClaimJob(ctx context.Context, id string, owner driver.Owner, lease time.Duration) (j driver.Job, found bool, err error) {
	err = s.run(ctx, s.personCall("claim a job", func(ctx context.Context, session *Session) error {
		j, found, err = session.job(ctx, s.queries.JobDue, id, string(owner))
		if err != nil || !found {
			return err
		}
		if _, err := session.Exec(ctx, s.queries.JobClaim, nil, j.ID, string(owner), s.dialect.micros(max(lease, 0))); err != nil {
			return err
		}
		j, found, err = session.job(ctx, s.queries.JobGet, j.ID)
		return err
	}))
	return j, found && err == nil, err
}

// StepJob implements [driver.JobStore].
func (s *Engine) StepJob(ctx context.Context, step driver.JobStep) error {
	return s.run(ctx, s.personCall("note a step of a job", func(ctx context.Context, session *Session) error {
		return session.step(ctx, step, nil)
	}))
}

// step records a step of a job in the transaction of its changes.
func (s *Session) step(ctx context.Context, step driver.JobStep, results []driver.DeadResult) error {
	step.Count(results)
	n, err := s.Exec(ctx, s.Queries.JobStep, nil, step.ID, step.Turn, textOrNull(string(step.Position)), step.Applied, step.Conflicts, step.Gone,
		s.Dialect.micros(max(step.Lease, 0)), string(step.State), textOrNull(driver.CleanText(step.Error, driver.MaxErrorLength)))
	switch {
	case err != nil:
		return err
	case n == 0:
		return ours(driver.ErrJobLost)
	case !step.State.Ended():
		return nil
	}
	j, _, err := s.job(ctx, s.Queries.JobGet, step.ID)
	if err != nil {
		return err
	}
	return s.audit(ctx, driver.Act{By: j.By, Note: j.Error}, driver.AuditJobEnd, j.ID, j.Told())
}

// DecideJob implements [driver.JobStore].
func (s *Engine) DecideJob(ctx context.Context, id string, d driver.JobDecision, a driver.Act) (j driver.Job, changed bool, err error) {
	err = s.run(ctx, s.personCall("decide about a job", func(ctx context.Context, session *Session) error {
		n, err := session.Exec(ctx, s.queries.JobDecide, nil, id, driver.CleanText(a.By, maxActor), string(d.State()))
		if err != nil {
			return err
		}
		if j, _, err = session.job(ctx, s.queries.JobGet, id); err != nil {
			return err
		}
		if changed = n > 0; !changed {
			return nil
		}
		return session.audit(ctx, a, d.Audit(), j.ID, j.Told())
	}))
	return j, changed && err == nil, err
}

// SweepJobs implements [driver.JobStore].
func (s *Engine) SweepJobs(ctx context.Context, sweep driver.JobSweep) (expired, deleted int, err error) {
	if sweep.Limit <= 0 {
		return 0, 0, nil
	}
	limit := stored.AtMost(sweep.Limit)
	err = s.run(ctx, s.sweepCall("end jobs that nobody allowed", func(ctx context.Context, session *Session) error {
		overdue, err := skipping(ctx, session, s.queries.JobOverdue, scanJob, nil, s.dialect.micros(max(sweep.Waiting, 0)), limit)
		if expired = len(overdue); err != nil {
			return err
		}
		for _, j := range overdue {
			if _, err := session.Exec(ctx, s.queries.JobExpire, nil, j.ID, driver.NobodyAllowed); err != nil {
				return err
			}
			j.State = driver.JobExpired
			if err := session.audit(ctx, driver.Act{By: j.By, Note: driver.NobodyAllowed}, driver.AuditJobEnd, j.ID, j.Told()); err != nil {
				return err
			}
		}
		return nil
	}))
	if err != nil {
		return 0, 0, err
	}
	deleted, err = s.removeCall(ctx, "sweep jobs", removal{s.queries.JobSweep, s.queries.JobFree, scanName}, sweep.Ended, sweep.Limit)
	return expired, deleted, err
}
