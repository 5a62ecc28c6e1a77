package storetest

import (
	"cmp"
	"context"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

func jobDefects() []defect {
	const one, again = "a step of a job and what it changes are one", "a delivered event waits again, as if it were new"
	const originals = "an event that dies again after an edit still has its originals"
	const filter = "a filter of jobs matches exactly what it names"
	const said = "no group says what erased letters said, and others still do"
	const once, expire = "a job that is added again is there once, as it was", "a job that nobody allows in time expires"
	return []defect{
		{"a note is put on one letter", "a note stays on a letter until another takes its place", false, func(b *broken) {
			b.noteDead = func(ctx context.Context, keys []driver.DeadKey, note string) ([]driver.DeadResult, error) {
				rs, err := b.Store.NoteDead(ctx, keys[:1], note)
				for _, k := range keys[1:] {
					rs = append(rs, driver.DeadResult{ID: k.EventID, Status: driver.DeadApplied})
				}
				return rs, err
			}
		}},
		{"an earlier letter is the letter itself", originals, false, func(b *broken) {
			b.earlier = func(ctx context.Context, id string, seq int64, limit int) ([]driver.DeadLetter, error) {
				return b.Store.EarlierDead(ctx, id, seq+1, limit)
			}
		}},
		{"only the last original is kept", originals, false, func(b *broken) {
			b.earlier = func(ctx context.Context, id string, seq int64, limit int) ([]driver.DeadLetter, error) {
				return b.Store.EarlierDead(ctx, id, seq, min(limit, 1))
			}
		}},
		{"consumer groups are one", "consumer groups are listed with what they have recorded", false, func(b *broken) {
			b.consumers = func(ctx context.Context, after string, limit int) ([]driver.ConsumerGroup, error) {
				gs, err := b.Store.ConsumerGroups(ctx, after, limit)
				return gs[:min(len(gs), 1)], err
			}
		}},
		{"a job forgets its note", "a job is kept as it was added, and listed latest first", false, func(b *broken) {
			b.addJob = func(ctx context.Context, j driver.Job) (bool, error) {
				j.Note = ""
				return b.Store.AddJob(ctx, j)
			}
		}},
		{"a filter of jobs ignores states", filter, false, func(b *broken) {
			b.jobList = func(ctx context.Context, f driver.JobFilter, before string, limit int) ([]driver.Job, string, error) {
				f.State = ""
				return b.Store.ListJobs(ctx, f, before, limit)
			}
		}},
		{"a filter of jobs ends early", filter, false, func(b *broken) {
			b.jobList = func(ctx context.Context, f driver.JobFilter, before string, limit int) ([]driver.Job, string, error) {
				js, _, err := b.Store.ListJobs(ctx, f, before, limit)
				return js, "", err
			}
		}},
		{"a job that is there counts as added", once, false, func(b *broken) {
			b.addJob = func(ctx context.Context, j driver.Job) (bool, error) {
				_, err := b.Store.AddJob(ctx, j)
				return err == nil, err
			}
		}},
		{"a job takes the place of another", once, false, func(b *broken) {
			b.addJob = func(ctx context.Context, j driver.Job) (bool, error) {
				added, err := b.Store.AddJob(ctx, j)
				if err == nil && !added && j.State == driver.JobWaiting {
					_, _, err = b.Store.DecideJob(ctx, j.ID, driver.JobCancel, j.Act)
				}
				return added, err
			}
		}},
		{"jobs expire at any age", expire, false, func(b *broken) {
			b.sweepJobs = func(ctx context.Context, s driver.JobSweep) (int, int, error) {
				s.Waiting = 0
				return b.Store.SweepJobs(ctx, s)
			}
		}},
		{"a job that nobody allows is cancelled", expire, false, func(b *broken) {
			b.sweepJobs = func(ctx context.Context, s driver.JobSweep) (n int, _ int, err error) {
				js, _, err := b.Store.ListJobs(ctx, driver.JobFilter{}, "", all)
				for _, j := range js {
					if j.State == driver.JobWaiting && s.Waiting == 0 && n < s.Limit {
						_, _, err = b.Store.DecideJob(ctx, j.ID, driver.JobCancel, driver.Act{By: "nobody"})
						n++
					}
				}
				return n, 0, err
			}
		}},
		{"a lease of a job ends at once", "of many that claim, one gets a job", false, func(b *broken) {
			b.claimJob = func(ctx context.Context, id string, owner driver.Owner, _ time.Duration) (driver.Job, bool, error) {
				return b.Store.ClaimJob(ctx, id, owner, 0)
			}
		}},
		{"a lease of a job never ends", "a job goes on with another owner after its lease", false, func(b *broken) {
			b.stepJob = func(ctx context.Context, s driver.JobStep) error {
				s.Lease = long
				return b.Store.StepJob(ctx, s)
			}
		}},
		{"the turn of a job does not count", "a job goes on with another owner after its lease", false, func(b *broken) {
			b.stepJob = func(ctx context.Context, s driver.JobStep) error {
				if j, found, err := b.GetJob(ctx, s.ID); found && err == nil {
					s.Turn = j.Turn
				}
				return b.Store.StepJob(ctx, s)
			}
		}},
		{"a step is noted after what it changes", one, false, func(b *broken) {
			b.resolve = func(ctx context.Context, keys []driver.DeadKey) ([]driver.DeadResult, error) {
				step, ok := driver.StepOf(ctx)
				if !ok {
					return b.Store.ResolveDead(ctx, keys)
				}
				rs, err := b.Store.ResolveDead(context.WithoutCancel(withoutStep{ctx}), keys)
				if err != nil {
					return rs, err
				}
				step.Count(rs)
				return rs, b.Store.StepJob(ctx, step)
			}
		}},
		{"a cancelled job goes on", "a job runs with consent, and ends when it is cancelled", false, func(b *broken) {
			b.decideJob = func(ctx context.Context, id string, d driver.JobDecision, a driver.Act) (driver.Job, bool, error) {
				j, changed, err := b.Store.DecideJob(ctx, id, d, a)
				j.EndedAt = time.Time{}
				return j, changed, err
			}
		}},
		{"jobs are swept at any age", "a sweep deletes only jobs that ended long ago", false, func(b *broken) {
			b.sweepJobs = func(ctx context.Context, s driver.JobSweep) (int, int, error) {
				s.Ended = 0
				return b.Store.SweepJobs(ctx, s)
			}
		}},
		{"a replay of delivered events takes those that wait", again, false, func(b *broken) {
			b.replayDone = func(ctx context.Context, es []driver.Replay) ([]driver.DeadResult, error) {
				rs, err := b.Store.ReplayDone(ctx, es)
				for i := range rs {
					rs[i].Status = driver.DeadApplied
				}
				return rs, err
			}
		}},
		{"a copy takes the place of the event", "a copy of a delivered event waits under an id of its own", false, func(b *broken) {
			b.replayDone = func(ctx context.Context, es []driver.Replay) ([]driver.DeadResult, error) {
				for i := range es {
					es[i].NewID = ""
				}
				return b.Store.ReplayDone(ctx, es)
			}
		}},
		{"an erasure erases nothing", "what an erased event said is gone, and it is still there", false, func(b *broken) {
			b.eraseDone = func(ctx context.Context, ids []string) ([]driver.DeadResult, error) {
				rs, err := b.Store.EraseDone(ctx, append(ids, "none")[len(ids):])
				for _, id := range ids {
					rs = append(rs, driver.DeadResult{ID: id, Status: driver.DeadApplied})
				}
				return rs[1:], err
			}
		}},
		{"a filter ignores that events were erased", "what an erased event said is gone, and it is still there", false, func(b *broken) {
			b.events = func(ctx context.Context, f driver.EventFilter, after *driver.EventCursor, limit int) ([]driver.StoredEvent, *driver.EventCursor, error) {
				f.Unerased = false
				return b.Store.ListEvents(ctx, f, after, limit)
			}
		}},
		{"a filter ignores that letters were erased", "what an erased letter said is gone, and it is resolved", false, func(b *broken) {
			b.list = func(ctx context.Context, f driver.DeadFilter, after *driver.DeadCursor, limit int) ([]driver.DeadLetter, *driver.DeadCursor, error) {
				f.Unerased = false
				return b.Store.ListDead(ctx, f, after, limit)
			}
		}},
		{"an erased letter can be retried", "what an erased letter said is gone, and it is resolved", false, func(b *broken) {
			b.eraseDead = func(ctx context.Context, keys []driver.DeadKey) ([]driver.DeadResult, error) {
				return b.Store.ResolveDead(ctx, keys)
			}
		}},
		{"groups keep what erased letters said", said, false, func(b *broken) {
			said := map[string]string{}
			b.getGroup = func(ctx context.Context, id string) (driver.DeadGroup, bool, error) {
				g, found, err := b.Store.GetGroup(ctx, id)
				said[id] = cmp.Or(g.Reason, said[id])
				g.Reason = said[id]
				return g, found, err
			}
		}},
		{"an erasure blanks every group", said, false, func(b *broken) {
			b.getGroup = func(ctx context.Context, id string) (driver.DeadGroup, bool, error) {
				g, found, err := b.Store.GetGroup(ctx, id)
				g.Reason = ""
				return g, found, err
			}
		}},
	}
}

// withoutStep hides the step of a context.
type withoutStep struct{ context.Context }

func (c withoutStep) Value(key any) any {
	v := c.Context.Value(key)
	if _, ok := v.(driver.JobStep); ok {
		return nil
	}
	return v
}

func (b *broken) ConsumerGroups(ctx context.Context, after string, limit int) ([]driver.ConsumerGroup, error) {
	if b.consumers != nil {
		return b.consumers(ctx, after, limit)
	}
	return b.Store.ConsumerGroups(ctx, after, limit)
}

func (b *broken) NoteDead(ctx context.Context, keys []driver.DeadKey, note string) ([]driver.DeadResult, error) {
	if b.noteDead != nil && len(keys) > 0 {
		return b.noteDead(ctx, keys, note)
	}
	return b.Store.NoteDead(ctx, keys, note)
}

func (b *broken) AddJob(ctx context.Context, j driver.Job) (bool, error) {
	if b.addJob != nil {
		return b.addJob(ctx, j)
	}
	return b.Store.AddJob(ctx, j)
}

func (b *broken) ClaimJob(ctx context.Context, id string, owner driver.Owner, lease time.Duration) (driver.Job, bool, error) {
	if b.claimJob != nil {
		return b.claimJob(ctx, id, owner, lease)
	}
	return b.Store.ClaimJob(ctx, id, owner, lease)
}

func (b *broken) StepJob(ctx context.Context, s driver.JobStep) error {
	if b.stepJob != nil {
		return b.stepJob(ctx, s)
	}
	return b.Store.StepJob(ctx, s)
}

func (b *broken) DecideJob(ctx context.Context, id string, d driver.JobDecision, a driver.Act) (driver.Job, bool, error) {
	if b.decideJob != nil {
		return b.decideJob(ctx, id, d, a)
	}
	return b.Store.DecideJob(ctx, id, d, a)
}

func (b *broken) SweepJobs(ctx context.Context, s driver.JobSweep) (expired, deleted int, err error) {
	if b.sweepJobs != nil {
		return b.sweepJobs(ctx, s)
	}
	return b.Store.SweepJobs(ctx, s)
}

func (b *broken) ReplayDone(ctx context.Context, es []driver.Replay) ([]driver.DeadResult, error) {
	if b.replayDone != nil {
		return b.replayDone(ctx, es)
	}
	return b.Store.ReplayDone(ctx, es)
}

func (b *broken) EraseDone(ctx context.Context, ids []string) ([]driver.DeadResult, error) {
	if b.eraseDone != nil {
		return b.eraseDone(ctx, ids)
	}
	return b.Store.EraseDone(ctx, ids)
}

func (b *broken) EraseDead(ctx context.Context, keys []driver.DeadKey) ([]driver.DeadResult, error) {
	if b.eraseDead != nil {
		return b.eraseDead(ctx, keys)
	}
	return b.Store.EraseDead(ctx, keys)
}
