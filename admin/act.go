package admin

import (
	"context"
	"errors"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/sendoff-go/outbox/dlq"
	"github.com/sendoff-go/outbox/driver"
)

type actInput struct {
	Body struct {
		IDs    []string `json:"ids,omitempty" doc:"The letters, at most 1000, in one transaction."`
		Filter *Filter  `json:"filter,omitempty" doc:"In place of ids: the open letters that match all of it, in batches of 100, from the latest on. At most 10,000 are changed, and it takes no more than 20 s: more in the answer says that some may be left."`
		All    bool     `json:"all,omitempty" doc:"In place of ids and filter: every open letter, as if by a filter."`
		DryRun bool     `json:"dry_run,omitempty" doc:"Not with ids: only count."`
		Rate   int      `json:"rate,omitempty" minimum:"0" maximum:"100000" doc:"Not with ids: at most this many a second. 0: no limit."`
		Note   string   `json:"note,omitempty" maxLength:"4000" doc:"For the audit log."`
	}
}

// Filter narrows dead letters. It has at least one field.
type Filter struct {
	Type        string     `json:"type,omitempty" minLength:"1" maxLength:"128" doc:"The event type."`
	Error       string     `json:"error,omitempty" minLength:"1" maxLength:"4000" doc:"Contained in the error."`
	Group       string     `json:"group,omitempty" minLength:"1" maxLength:"36" doc:"The id of their group."`
	Destination string     `json:"destination,omitempty" minLength:"1" maxLength:"255"`
	Tenant      string     `json:"tenant,omitempty" minLength:"1" maxLength:"64" doc:"The tenant's id."`
	Key         string     `json:"key,omitempty" minLength:"1" maxLength:"128" doc:"The aggregate's id."`
	DiedAfter   *time.Time `json:"died_after,omitempty"`
	DiedBefore  *time.Time `json:"died_before,omitempty"`
}

func (f *Filter) read() (out driver.DeadFilter, err error) {
	if *f == (Filter{}) {
		return out, huma.Error400BadRequest("the filter is empty, and would match every dead letter: send all in place of it if that is meant")
	}
	out = driver.DeadFilter{Lane: f.Type, Error: f.Error, Group: f.Group, Destination: f.Destination, Tenant: f.Tenant, Key: f.Key}
	for at, to := range map[*time.Time]*time.Time{f.DiedAfter: &out.DiedAfter, f.DiedBefore: &out.DiedBefore} {
		if at == nil {
			continue
		}
		if at.IsZero() {
			return out, huma.Error422UnprocessableEntity("a time is zero: leave it out")
		}
		*to = *at
	}
	return out, checkFilter(out)
}

type actReport struct {
	Applied   int      `json:"applied" doc:"Letters that were changed; on a dry run, how many match."`
	Conflicts int      `json:"conflicts" doc:"Left: an event of their id is in the outbox again."`
	Gone      int      `json:"gone" doc:"Not there, or somebody else was faster."`
	More      bool     `json:"more" doc:"There may be more that match: send the request again."`
	Results   []Result `json:"results,omitempty" doc:"For ids: what happened to each."`
}

type actOutput = body[actReport]

// Result is what happened to one letter.
type Result struct {
	ID     string            `json:"id"`
	Status driver.DeadStatus `json:"status" enum:"applied,not found,conflict"`
}

func resultsOf(rs []driver.DeadResult) []Result {
	out := make([]Result, len(rs))
	for i, r := range rs {
		out[i] = Result(r)
	}
	return out
}

func (a *api) act(ctx context.Context, action dlq.Action, in *actInput) (*actOutput, error) {
	b := &in.Body
	if err := checkText("note", b.Note); err != nil {
		return nil, err
	}
	given := 0
	for _, there := range []bool{len(b.IDs) > 0, b.Filter != nil, b.All} {
		if there {
			given++
		}
	}
	ctx, cancel := context.WithTimeout(ctx, maxWork)
	defer cancel()
	switch {
	case given != 1:
		return nil, huma.Error400BadRequest("send one of ids, filter and all")
	case len(b.IDs) == 0:
		return a.actOnMatching(ctx, action, in)
	case b.DryRun || b.Rate > 0:
		return nil, huma.Error400BadRequest("dry_run and rate are not for ids")
	}
	results, err := a.actOnIDs(ctx, action, b.IDs, b.Note)
	if err != nil {
		return nil, err
	}
	var r dlq.Report
	r.Add(results)
	return &actOutput{actReport{Applied: r.Applied, Conflicts: r.Conflicts, Gone: r.Gone, Results: resultsOf(results)}}, nil
}

func (a *api) actOnMatching(ctx context.Context, action dlq.Action, in *actInput) (*actOutput, error) {
	var f driver.DeadFilter
	if in.Body.Filter != nil {
		var err error
		if f, err = in.Body.Filter.read(); err != nil {
			return nil, err
		}
	}
	if in.Body.DryRun {
		n, err := a.Store.CountDead(ctx, f)
		return &actOutput{actReport{Applied: int(n.N), More: n.More}}, err
	}
	report, err := dlq.Run(ctx, a.Store, dlq.Job{
		Action: action, Filter: f, Rate: in.Body.Rate, Limit: maxLetters,
		Act: driver.Act{By: personOf(ctx).Name, Note: in.Body.Note},
	})
	over := errors.Is(err, context.DeadlineExceeded) && ctx.Err() != nil // maxWork is
	if err != nil && !over {
		return nil, err
	}
	return &actOutput{actReport{Applied: report.Applied, Conflicts: report.Conflicts, Gone: report.Gone, More: report.More || over}}, nil
}

// unique drops repetitions.
func unique(ids []string) (out []string) {
	seen := map[string]bool{}
	for _, id := range ids {
		if !seen[id] {
			out = append(out, id)
		}
		seen[id] = true
	}
	return out
}

// actOnIDs acts on the letters of ids, in one transaction. An invalid id matches
// no letter.
func (a *api) actOnIDs(ctx context.Context, action dlq.Action, ids []string, note string) ([]driver.DeadResult, error) {
	if len(ids) > dlq.MaxIDs {
		return nil, dlq.ErrTooMany
	}
	ids = unique(ids)
	out := make([]driver.DeadResult, len(ids))
	var known []string
	var at []int
	for i, id := range ids {
		out[i] = driver.DeadResult{ID: id, Status: driver.DeadNotFound}
		if isID(id) {
			known, at = append(known, id), append(at, i)
		}
	}
	if len(known) == 0 {
		return out, nil
	}
	results, err := dlq.Apply(ctx, a.Store, action, driver.Act{By: personOf(ctx).Name, Note: note}, known)
	if err != nil {
		return nil, err
	}
	for i, r := range results {
		out[at[i]].Status = r.Status
	}
	return out, nil
}
