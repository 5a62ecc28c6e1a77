package admin

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/sendoff-go/outbox/dlq"
	"github.com/sendoff-go/outbox/driver"
)

// manualPath is the path of the API of spring-outbox, so that its clients work
// here.
const manualPath = "/api/outbox-dlq/events"

// The states of spring-outbox. A letter is MOVED until it is RESOLVED; TO_RETRY
// moves it back at once, so that no letter is ever seen in that state, or in
// IN_PROCESS.
const (
	moved     = "MOVED"
	inProcess = "IN_PROCESS"
	toRetry   = "TO_RETRY"
	resolved  = "RESOLVED"
)

// maxDepth bounds the letters before a batch, which all have to be read.
const maxDepth = 10_000

// manual registers the operations of spring-outbox.
func (a *api) manual(h huma.API) {
	operation(a, h, Viewer, http.MethodGet, manualPath, "dlq-list", "List a batch of dead letters, latest first", a.manualList)
	operation(a, h, Viewer, http.MethodGet, manualPath+"/{id}", "dlq-get", "Show one dead letter", a.manualGet)
	operation(a, h, Operator, http.MethodPatch, manualPath+"/{id}", "dlq-update", "Retry or resolve one dead letter", a.manualUpdate)
	operation(a, h, Operator, http.MethodPatch, manualPath, "dlq-update-batch", "Retry or resolve dead letters", a.manualUpdateBatch)
	operation(a, h, Admin, http.MethodDelete, manualPath+"/{id}", "dlq-delete", "Delete one dead letter", a.manualDelete)
	operation(a, h, Admin, http.MethodDelete, manualPath, "dlq-delete-batch", "Delete dead letters", a.manualDeleteBatch)
}

// manualEvent is a dead letter as spring-outbox shows it.
type manualEvent struct {
	ID         string    `json:"id"`
	Status     string    `json:"status" enum:"MOVED,RESOLVED"`
	EventType  string    `json:"eventType"`
	Payload    string    `json:"payload,omitempty" doc:"The text of a payload that is JSON."`
	Bytes      *[]byte   `json:"payloadBytes,omitempty" doc:"A payload that is not JSON."`
	RetryCount int       `json:"retryCount"`
	Error      string    `json:"error"`
	CreatedAt  time.Time `json:"createdAt"`
	UpdatedAt  time.Time `json:"updatedAt"`
}

func (a *api) manualEvent(ctx context.Context, l *driver.DeadLetter) manualEvent {
	e := manualEvent{ID: l.Event.ID, Status: moved, EventType: l.Event.Type, RetryCount: l.Attempts, Error: l.Error, CreatedAt: encodable(l.CreatedAt), UpdatedAt: encodable(l.DiedAt)}
	if !l.ResolvedAt.IsZero() {
		e.Status, e.UpdatedAt = resolved, encodable(l.ResolvedAt)
	}
	if a.part(ctx) == Whole {
		e.Payload, e.Bytes = payload(&a.shown(ctx, l).Event)
	}
	return e
}

type manualListInput struct {
	Status      string `query:"status" enum:"MOVED,IN_PROCESS,TO_RETRY,RESOLVED" default:"MOVED"`
	BatchNumber int    `query:"batchNumber" minimum:"0" doc:"From 0. A batch may have 10,000 letters before it; go on with the cursor from there."`
	BatchSize   int    `query:"batchSize" minimum:"1" maximum:"200" default:"50"`
	Cursor      string `query:"cursor" maxLength:"200" doc:"In place of batchNumber: the cursor in the header Link of the previous batch."`
}

type manualListOutput struct {
	Link string `header:"Link" doc:"The next batch, by cursor."`
	Body []manualEvent
}

func (a *api) manualList(ctx context.Context, in *manualListInput) (*manualListOutput, error) {
	out := &manualListOutput{Body: []manualEvent{}}
	after, err := letterCursor(in.Cursor)
	switch {
	case err != nil:
		return nil, err
	case in.Cursor != "" && in.BatchNumber > 0:
		return nil, huma.Error422UnprocessableEntity("send batchNumber or cursor, and not both")
	case in.BatchNumber > maxDepth/in.BatchSize:
		return nil, huma.Error422UnprocessableEntity("batchNumber is too high: go on with the cursor in the header Link of a batch")
	case in.Status == toRetry || in.Status == inProcess:
		return out, nil
	}
	f := driver.DeadFilter{Resolved: in.Status == resolved}
	for left := in.BatchNumber * in.BatchSize; left > 0; { // those before
		ls, next, err := a.Store.ListDead(ctx, f, after, min(left, maxPage))
		if err != nil || next == nil {
			return out, err
		}
		left -= len(ls)
		after = next
	}
	var all []driver.DeadLetter
	next := after
	for more := true; more && len(all) < in.BatchSize; more = next != nil { // numbers count full batches
		var ls []driver.DeadLetter
		if ls, next, err = a.Store.ListDead(ctx, f, next, in.BatchSize-len(all)); err != nil {
			return nil, err
		}
		all = append(all, ls...)
	}
	if next != nil {
		q := url.Values{"status": {in.Status}, "batchSize": {strconv.Itoa(in.BatchSize)}, "cursor": {cursorOf(next)}}
		out.Link = "<" + manualPath + "?" + q.Encode() + `>; rel="next"`
	}
	for i := range all {
		out.Body = append(out.Body, a.manualEvent(ctx, &all[i]))
	}
	return out, nil
}

func (a *api) manualGet(ctx context.Context, in *idInput) (*body[manualEvent], error) {
	l, err := a.letter(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	return &body[manualEvent]{a.manualEvent(ctx, &l)}, nil
}

// manualAction is what setting a state means.
func manualAction(status string) (dlq.Action, error) {
	switch status {
	case toRetry:
		return dlq.Retry, nil
	case resolved:
		return dlq.Resolve, nil
	case inProcess:
		return "", huma.Error422UnprocessableEntity("IN_PROCESS is not for people to set: use TO_RETRY or RESOLVED")
	}
	return "", huma.Error422UnprocessableEntity("MOVED is the state of a new dead letter: use TO_RETRY or RESOLVED")
}

type manualUpdateInput struct {
	ID   string `path:"id"`
	Body struct {
		Status string `json:"status" enum:"MOVED,IN_PROCESS,TO_RETRY,RESOLVED"`
	}
}

func (a *api) manualUpdate(ctx context.Context, in *manualUpdateInput) (*struct{}, error) {
	action, err := manualAction(in.Body.Status)
	if err != nil {
		return nil, err
	}
	return a.manualOne(ctx, action, in.ID)
}

func (a *api) manualDelete(ctx context.Context, in *idInput) (*struct{}, error) {
	return a.manualOne(ctx, dlq.Delete, in.ID)
}

// manualOne acts on one letter. It is an error if the letter was not changed.
func (a *api) manualOne(ctx context.Context, action dlq.Action, id string) (*struct{}, error) {
	results, err := a.actOnIDs(ctx, action, []string{id}, "")
	switch {
	case err != nil:
		return nil, err
	case results[0].Status == driver.DeadConflict:
		return nil, huma.Error409Conflict("an event with this id is in the outbox again, so the letter stays: resolve or delete it")
	case results[0].Status == driver.DeadNotFound:
		return nil, errNoLetter
	}
	return nil, nil
}

type manualUpdateBatchInput struct {
	Body struct {
		IDs    []string `json:"ids" minItems:"1" doc:"At most 1000."`
		Status string   `json:"status" enum:"MOVED,IN_PROCESS,TO_RETRY,RESOLVED"`
	}
}

type manualResults = body[[]Result]

func (a *api) manualUpdateBatch(ctx context.Context, in *manualUpdateBatchInput) (*manualResults, error) {
	action, err := manualAction(in.Body.Status)
	if err != nil {
		return nil, err
	}
	return a.manualBatch(ctx, action, in.Body.IDs)
}

type manualDeleteBatchInput struct {
	Body struct {
		IDs []string `json:"ids" minItems:"1" doc:"At most 1000."`
	}
}

func (a *api) manualDeleteBatch(ctx context.Context, in *manualDeleteBatchInput) (*manualResults, error) {
	return a.manualBatch(ctx, dlq.Delete, in.Body.IDs)
}

func (a *api) manualBatch(ctx context.Context, action dlq.Action, ids []string) (*manualResults, error) {
	results, err := a.actOnIDs(ctx, action, ids, "")
	if err != nil {
		return nil, err
	}
	return &manualResults{resultsOf(results)}, nil
}
