package admin

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/sendoff-go/outbox/dlq"
	"github.com/sendoff-go/outbox/driver"
)

type actInput struct {
	Body struct {
		IDs    []string `json:"ids,omitempty" doc:"The letters, at most 1000, in one transaction."`
		Filter *Filter  `json:"filter,omitempty" doc:"In place of ids: the open letters that it matches, in batches of 100, from the latest on. An empty one matches all. At most 10,000 are changed, and it takes no more than 20 s: more in the answer says that some may be left."`
		DryRun bool     `json:"dry_run,omitempty" doc:"With a filter: only count."`
		Rate   int      `json:"rate,omitempty" minimum:"0" maximum:"100000" doc:"With a filter: at most this many a second. 0: no limit."`
		Note   string   `json:"note,omitempty" maxLength:"4000" doc:"For the audit log."`
	}
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

func (a *api) act(ctx context.Context, action dlq.Action, in *actInput) (*actOutput, error) {
	b := &in.Body
	if err := checkText("note", b.Note); err != nil {
		return nil, err
	}
	switch byFilter := b.Filter != nil; {
	case byFilter == (len(b.IDs) > 0):
		return nil, huma.Error400BadRequest("send ids or a filter, and not both")
	case !byFilter && (b.DryRun || b.Rate > 0):
		return nil, huma.Error400BadRequest("dry_run and rate are for a filter")
	case byFilter:
		return a.actOnMatching(ctx, action, in)
	}
	results, err := a.actOnIDs(ctx, action, b.IDs, b.Note)
	if err != nil {
		return nil, err
	}
	r := actReport{Results: results}
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
	return &actOutput{r}, nil
}

func (a *api) actOnMatching(ctx context.Context, action dlq.Action, in *actInput) (*actOutput, error) {
	f, err := in.Body.Filter.read()
	if err != nil {
		return nil, err
	}
	if in.Body.DryRun {
		n, err := a.Store.CountDead(ctx, f)
		return &actOutput{actReport{Applied: int(n.N), More: n.More}}, err
	}
	limited, cancel := context.WithTimeout(ctx, maxWork)
	defer cancel()
	report, err := dlq.Run(limited, a.Store, dlq.Job{
		Action: action, Filter: f, Rate: in.Body.Rate, Limit: maxLetters,
		Act: driver.Act{By: personOf(ctx).Name, Note: in.Body.Note},
	})
	if ended := limited.Err() != nil && ctx.Err() == nil; ended && report != (dlq.Report{}) {
		report.More, err = true, nil
	}
	if err != nil {
		return nil, err
	}
	return &actOutput{actReport{Applied: report.Applied, Conflicts: report.Conflicts, Gone: report.Gone, More: report.More}}, nil
}

// actOnIDs acts on the letters of ids, in one transaction. No letter has an id
// that is none.
func (a *api) actOnIDs(ctx context.Context, action dlq.Action, ids []string, note string) ([]Result, error) {
	if len(ids) > dlq.MaxIDs {
		return nil, dlq.ErrTooMany
	}
	out := make([]Result, len(ids))
	var known []string
	var at []int
	for i, id := range ids {
		out[i] = Result{id, driver.DeadNotFound}
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
