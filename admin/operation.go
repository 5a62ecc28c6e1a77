package admin

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/dlq"
	"github.com/sendoff-go/outbox/job"
)

// operation registers one operation for a role and those above it.
func operation[I, O any](a *api, h huma.API, role Role, method, path, id, summary string, handle func(ctx context.Context, in *I) (*O, error)) {
	huma.Register(h, huma.Operation{
		OperationID: id, Method: method, Path: path, Summary: summary,
		Description:  "For the role " + string(role) + " and above.",
		MaxBodyBytes: maxBody, BodyReadTimeout: -1, Tags: []string{"outbox"}, // the guard has read it
		Middlewares: huma.Middlewares{func(ctx huma.Context, next func(huma.Context)) {
			if p := personOf(ctx.Context()); !p.may(role) { // before the request is read
				_ = huma.WriteErr(h, ctx, http.StatusForbidden, "this is for the role "+string(role)+", and yours is "+string(p.Role)) // the client has gone
				return
			}
			next(ctx)
		}},
		Errors: errorsOf(method, path),
	}, func(ctx context.Context, in *I) (*O, error) {
		out, err := handle(ctx, in)
		if err != nil {
			return nil, a.problem(ctx, id, err)
		}
		return out, nil
	})
}

// errorsOf lists the error statuses of an operation, besides those that huma
// adds.
func errorsOf(method, path string) []int {
	all := []int{http.StatusUnauthorized, http.StatusForbidden, http.StatusUnprocessableEntity, http.StatusTooManyRequests, http.StatusServiceUnavailable}
	change := method != http.MethodGet
	if change {
		all = append(all, http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType)
	}
	inPath := strings.Contains(path, "{")
	if inPath {
		all = append(all, http.StatusNotFound)
	}
	if change && (inPath || strings.HasPrefix(path, jobsPath)) {
		all = append(all, http.StatusConflict)
	}
	return all
}

// problem turns an error into one that clients may see: what is wrong with the
// request, or that the database is unavailable. Everything else stays in the
// log.
func (a *api) problem(ctx context.Context, operation string, err error) error {
	var shown huma.StatusError
	switch {
	case errors.As(err, &shown):
		return shown
	case errors.Is(err, dlq.ErrGone):
		return errNoLetter
	case errors.Is(err, dlq.ErrConflict):
		return huma.Error409Conflict("an event with this id is in the outbox again")
	case errors.Is(err, outbox.ErrInvalidEvent):
		return huma.Error422UnprocessableEntity(err.Error()) // it is about the request alone
	case errors.Is(err, dlq.ErrTooMany):
		return huma.Error400BadRequest(fmt.Sprintf("more than %d ids: split them, or start a job", dlq.MaxIDs))
	case errors.Is(err, job.ErrSpec):
		return huma.Error422UnprocessableEntity(strings.TrimPrefix(err.Error(), job.ErrSpec.Error()+": "))
	case errors.Is(err, job.ErrTaken):
		return huma.Error409Conflict(strings.TrimPrefix(job.ErrTaken.Error(), "job: "))
	case errors.Is(err, job.ErrRerouted):
		return huma.Error409Conflict("other event types go to this destination now: count again with dry_run")
	case errors.Is(err, outbox.ErrInvalidID):
		return huma.Error422UnprocessableEntity("an id is not a valid event id")
	case errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
		return huma.Error503ServiceUnavailable("the database took too long: ask for less, or try again later")
	case ctx.Err() != nil:
		return huma.Error503ServiceUnavailable("the request ended before it was answered")
	}
	a.Logger.Error("outbox: a request failed", "operation", operation, "by", personOf(ctx).Name, "error", err)
	if errors.Is(err, outbox.ErrStoreDown) {
		return huma.Error503ServiceUnavailable("the database is unavailable: try again later")
	}
	return huma.Error500InternalServerError("something is wrong with this server: its log says what")
}

// maxDetails is how many mistakes an answer names.
const maxDetails = 10

// short keeps an answer from repeating the request: huma adds what is wrong with
// a body to each mistake in it.
func short(_ huma.Context, _ string, v any) (any, error) {
	if e, ok := v.(*huma.ErrorModel); ok {
		e.Errors = e.Errors[:min(len(e.Errors), maxDetails)]
		for _, d := range e.Errors {
			d.Value = nil
		}
	}
	return v, nil
}
