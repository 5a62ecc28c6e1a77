package main

import (
	"context"
	"errors"
	"log/slog"
	"strings"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/dlq"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/job"
)

// direct works on a database.
type direct struct{ *dburl.Handle }

func (d direct) Status(ctx context.Context) (s admin.Status, err error) {
	stats, err := d.Store.Stats(ctx)
	if err != nil {
		return s, d.Problem("count events", err)
	}
	relays, err := d.Store.Instances(ctx)
	if err != nil {
		return s, d.Problem("list relays", err)
	}
	paused, err := d.Store.Paused(ctx)
	if err != nil {
		return s, d.Problem("read what is paused", err)
	}
	return admin.StatusOf(stats, relays, paused), nil
}

func (d direct) SetPaused(ctx context.Context, what []driver.Pausable, paused bool, act driver.Act) (all []driver.Pausable, err error) {
	for _, p := range what {
		if err := d.Store.SetPaused(driver.WithAct(ctx, act), p, paused, act.By); err != nil {
			return nil, err
		}
	}
	now, err := d.Store.Paused(ctx)
	for _, p := range now {
		all = append(all, p.Pausable)
	}
	return all, err
}

func (d direct) Letters(ctx context.Context, f driver.DeadFilter, payload string, limit int) ([]admin.Letter, error) {
	match, err := dlq.ParsePayloadMatch(payload)
	if err != nil {
		return nil, err
	}
	ls, err := upTo(limit, func(after *driver.DeadCursor, n int) ([]driver.DeadLetter, *driver.DeadCursor, error) {
		return dlq.Find(ctx, d.Store, f, match, after, n)
	})
	out := make([]admin.Letter, len(ls))
	for i := range ls {
		out[i] = admin.LetterOf(&ls[i], admin.Summary)
	}
	return out, err
}

func (d direct) CountLetters(ctx context.Context, f driver.DeadFilter, payload string) (admin.Count, error) {
	match, err := dlq.ParsePayloadMatch(payload)
	if err != nil {
		return admin.Count{}, err
	}
	n, err := dlq.CountMatching(ctx, d.Store, f, match)
	return admin.Count(n), err
}

func (d direct) Letter(ctx context.Context, id string) (admin.Letter, bool, error) {
	l, found, err := d.Store.GetDead(ctx, id)
	out := admin.LetterOf(&l, admin.Whole)
	if err != nil || !found {
		return out, found, err
	}
	earlier, err := d.Store.EarlierDead(ctx, id, l.Seq, admin.MaxEarlier)
	for i := range earlier {
		out.Earlier = append(out.Earlier, admin.EarlierOf(&earlier[i], admin.Whole))
	}
	return out, found, err
}

func (d direct) Apply(ctx context.Context, a dlq.Action, act driver.Act, ids []string) ([]admin.Result, error) {
	results, err := dlq.Apply(ctx, d.Store, a, act, ids)
	return resultsOf(results), err
}

func resultsOf(results []driver.DeadResult) []admin.Result {
	out := make([]admin.Result, len(results))
	for i, r := range results {
		out[i] = admin.Result(r)
	}
	return out
}

func (d direct) Edit(ctx context.Context, act driver.Act, id string, change func(*driver.DeadEdit) error) error {
	return dlq.Edit(ctx, d.Store, act, id, change)
}

func (d direct) Groups(ctx context.Context, f driver.GroupFilter, limit int) ([]admin.Group, error) {
	gs, err := upTo(limit, func(after *driver.GroupCursor, n int) ([]driver.DeadGroup, *driver.GroupCursor, error) {
		return d.Store.ListGroups(ctx, f, after, n)
	})
	out := make([]admin.Group, len(gs))
	for i := range gs {
		out[i] = admin.GroupOf(&gs[i])
	}
	return out, err
}

func (d direct) MarkGroup(ctx context.Context, id string, m driver.GroupMark) (admin.Group, bool, error) {
	found, err := d.Store.MarkGroup(ctx, id, m)
	if err != nil || !found {
		return admin.Group{}, false, err
	}
	g, found, err := d.Store.GetGroup(ctx, id)
	return admin.GroupOf(&g), found, err
}

func (d direct) Events(ctx context.Context, f driver.EventFilter, payload string, payloads bool, limit int) ([]admin.Event, error) {
	match, err := dlq.ParsePayloadMatch(payload)
	if err != nil {
		return nil, err
	}
	es, err := upTo(limit, func(after *driver.EventCursor, n int) ([]driver.StoredEvent, *driver.EventCursor, error) {
		return dlq.FindEvents(ctx, d.Store, f, dlq.EventMatch{Payload: match}, after, n)
	})
	return eventsOf(es, payloads), err
}

func (d direct) LatestEvents(ctx context.Context, f driver.EventFilter, payload string, payloads bool, limit int) ([]admin.Event, bool, error) {
	match, err := dlq.ParsePayloadMatch(payload)
	if err != nil {
		return nil, false, err
	}
	es, next, err := dlq.FindEvents(ctx, d.Store, f, dlq.EventMatch{Payload: match}, nil, limit)
	return eventsOf(es, payloads), next != nil, err
}

func eventsOf(es []driver.StoredEvent, payloads bool) []admin.Event {
	part := admin.Summary
	if payloads {
		part = admin.Whole
	}
	out := make([]admin.Event, len(es))
	for i := range es {
		out[i] = admin.EventOf(&es[i], part)
	}
	return out
}

func (d direct) Event(ctx context.Context, id string) (admin.Event, bool, error) {
	e, found, err := d.Store.GetEvent(ctx, id)
	return admin.EventOf(&e, admin.Whole), found, err
}

func (d direct) Alerts(ctx context.Context, f driver.AlertFilter, limit int) ([]admin.Alert, error) {
	as, err := d.Store.ListAlerts(ctx, f, limit)
	return admin.AlertsOf(as), err
}

func (d direct) MuteAlert(ctx context.Context, id string, m driver.AlertMute) (bool, error) {
	return d.Store.MuteAlert(ctx, id, m)
}

func (d direct) Audit(ctx context.Context, f driver.AuditFilter, limit int) ([]admin.AuditEntry, error) {
	entries, err := upTo(limit, func(before *int64, n int) ([]driver.AuditEntry, *int64, error) {
		es, next, err := d.Store.ListAudit(ctx, f, pointed(before), n)
		return es, nonZero(next), err
	})
	return admin.AuditOf(entries), err
}

func (d direct) Jobs(ctx context.Context, f driver.JobFilter, limit int) ([]admin.Job, error) {
	js, err := upTo(limit, func(before *string, n int) ([]driver.Job, *string, error) {
		js, next, err := d.Store.ListJobs(ctx, f, pointed(before), n)
		return js, nonZero(next), err
	})
	return admin.JobsOf(js), err
}

func (d direct) Job(ctx context.Context, id string) (admin.Job, bool, error) {
	j, found, err := d.Store.GetJob(ctx, id)
	return admin.JobOf(j), found, err
}

func (d direct) CountJob(ctx context.Context, spec job.Spec) (admin.StartedJob, error) {
	c, err := admin.CountJob(ctx, d.Store, spec)
	return c, plain(err)
}

// plain is what is wrong with a spec, as the API says it.
func plain(err error) error {
	if !errors.Is(err, job.ErrSpec) {
		return err
	}
	return usagef("%s", strings.TrimPrefix(err.Error(), job.ErrSpec.Error()+": "))
}

func (d direct) StartJob(ctx context.Context, spec job.Spec, act driver.Act) (admin.Job, error) {
	j, err := job.Start(ctx, d.Store, spec, act)
	return admin.JobOf(j), plain(err)
}

func (d direct) RunJob(ctx context.Context, id string, progress func(admin.Job)) (admin.Job, error) {
	r, err := job.NewRunner(job.Config{Store: d.Store, Name: "outbox", Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return admin.Job{}, err
	}
	j, err := r.RunJob(ctx, id, func(now driver.Job) { progress(admin.JobOf(now)) })
	return admin.JobOf(j), err
}

func (d direct) Cancel(ctx context.Context, id string, act driver.Act) (admin.Job, error) {
	j, err := job.Cancel(ctx, d.Store, id, act)
	return admin.JobOf(j), err
}

func (d direct) Consent(ctx context.Context, id string, act driver.Act) (admin.Job, error) {
	j, err := job.Consent(ctx, d.Store, id, act)
	return admin.JobOf(j), err
}
