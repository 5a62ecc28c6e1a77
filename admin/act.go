package admin

import (
	"context"
	"fmt"

	"github.com/danielgtaylor/huma/v2"

	"github.com/sendoff-go/outbox/dlq"
	"github.com/sendoff-go/outbox/driver"
)

type actInput struct {
	Body struct {
		IDs  []string `json:"ids" minItems:"1" doc:"At most 1000 letters, changed in one transaction. To act on all that a filter matches, start a job."`
		Note string   `json:"note,omitempty" maxLength:"4000" doc:"For the audit log."`
	}
}

// ActReport says what happened to the letters.
type ActReport struct {
	Applied   int64    `json:"applied" doc:"Letters that were changed."`
	Conflicts int64    `json:"conflicts" doc:"Letters left alone, because an event with their id is in the outbox again."`
	Gone      int64    `json:"gone" doc:"Letters that do not exist, or that somebody else changed first."`
	Results   []Result `json:"results" doc:"What happened to each."`
}

type actOutput = body[ActReport]

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
	results, err := a.actOnIDs(ctx, action, b.IDs, b.Note)
	return reportOf(results, err)
}

func (a *api) noteLetters(ctx context.Context, in *actInput) (*actOutput, error) {
	if err := checkText("note", in.Body.Note); err != nil {
		return nil, err
	}
	results, err := a.onIDs(in.Body.IDs, func(ids []string) ([]driver.DeadResult, error) {
		return dlq.Apply(ctx, a.Store, dlq.Annotate, driver.Act{By: personOf(ctx).Name, Note: in.Body.Note}, ids)
	})
	return reportOf(results, err)
}

func reportOf(results []driver.DeadResult, err error) (*actOutput, error) {
	if err != nil {
		return nil, err
	}
	var r driver.JobTally
	r.Count(results)
	return &actOutput{ActReport{Applied: r.Applied, Conflicts: r.Conflicts, Gone: r.Gone, Results: resultsOf(results)}}, nil
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

// actOnIDs acts on the letters of ids, in one transaction.
func (a *api) actOnIDs(ctx context.Context, action dlq.Action, ids []string, note string) ([]driver.DeadResult, error) {
	if n := int64(len(unique(ids))); a.ConsentOver > 0 && n > a.ConsentOver {
		return nil, huma.Error422UnprocessableEntity(fmt.Sprintf(
			"%d letters are more than the %d that one person may change: start a job by a filter, which a second person allows", n, a.ConsentOver))
	}
	return a.onIDs(ids, func(ids []string) ([]driver.DeadResult, error) {
		return dlq.Apply(ctx, a.Store, action, driver.Act{By: personOf(ctx).Name, Note: note}, ids)
	})
}

// onIDs calls do with ids, each once. An invalid one matches no letter.
func (a *api) onIDs(ids []string, do func(ids []string) ([]driver.DeadResult, error)) ([]driver.DeadResult, error) {
	if len(ids) > dlq.MaxIDs {
		return nil, dlq.ErrTooMany
	}
	ids = unique(ids)
	out := make([]driver.DeadResult, len(ids))
	var known []string
	var at []int
	for i, id := range ids {
		if err := checkID(id); err != nil {
			return nil, err
		}
		out[i] = driver.DeadResult{ID: id, Status: driver.DeadNotFound}
		if isID(id) {
			known, at = append(known, id), append(at, i)
		}
	}
	if len(known) == 0 {
		return out, nil
	}
	results, err := do(known)
	if err != nil {
		return nil, err
	}
	for i, r := range results {
		out[at[i]].Status = r.Status
	}
	return out, nil
}
