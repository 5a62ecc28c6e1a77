package admin

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/sendoff-go/outbox/driver"
)

// Count is a number of rows that may have been counted only up to a bound.
type Count struct {
	N    int64 `json:"n"`
	More bool  `json:"more" doc:"Counting stopped at n."`
}

// Lane is the state of one event type.
type Lane struct {
	Type      string  `json:"type" doc:"The event type; * stands for all."`
	Waiting   Count   `json:"waiting"`
	Held      Count   `json:"held" doc:"Claimed by a relay."`
	Dead      Count   `json:"dead" doc:"Dead letters that are open."`
	OldestDue float64 `json:"oldest_due_seconds" doc:"How long the earliest event that is due has waited."`
}

// Relay is a relay that runs.
type Relay struct {
	Owner     string    `json:"owner"`
	Version   string    `json:"version"`
	StartedAt time.Time `json:"started_at"`
	SeenAt    time.Time `json:"seen_at"`
	Types     []string  `json:"types"`
}

// Status is the state of an outbox.
type Status struct {
	Lane
	Done   Count    `json:"done" doc:"Delivered and kept."`
	Types  []Lane   `json:"types"`
	Relays []Relay  `json:"relays"`
	Paused []string `json:"paused" doc:"Event types; * stands for all."`
}

// StatusOf puts the answers of a store together.
func StatusOf(stats driver.Stats, relays []driver.Instance, paused []string) Status {
	s := Status{
		Lane: Lane{Type: "*", Waiting: Count(stats.Waiting), Held: Count(stats.Held), Dead: Count(stats.Dead), OldestDue: stats.OldestDue.Seconds()},
		Done: Count(stats.Done), Types: []Lane{}, Relays: []Relay{}, Paused: append([]string{}, paused...),
	}
	for _, l := range stats.Lanes {
		s.Types = append(s.Types, Lane{l.Lane, Count(l.Waiting), Count(l.Held), Count(l.Dead), l.OldestDue.Seconds()})
	}
	for _, r := range relays {
		s.Relays = append(s.Relays, Relay{string(r.Owner), r.Version, r.StartedAt, r.SeenAt, append([]string{}, r.Lanes...)})
	}
	return s
}

// lanes registers what concerns event types and relays.
func (a *api) lanes(h huma.API) {
	operation(a, h, Viewer, http.MethodGet, "/api/v1/status", "get-status", "Show what waits, what failed, what is paused, and which relays run", a.status)
	operation(a, h, Operator, http.MethodPost, "/api/v1/pause", "pause", "Pause the delivery of event types", a.pause(true))
	operation(a, h, Operator, http.MethodPost, "/api/v1/resume", "resume", "Resume the delivery of event types that were paused", a.pause(false))
}

func (a *api) status(ctx context.Context, _ *struct{}) (*body[Status], error) {
	stats, err := a.Store.Stats(ctx)
	if err != nil {
		return nil, err
	}
	relays, err := a.Store.Instances(ctx)
	if err != nil {
		return nil, err
	}
	paused, err := a.Store.Paused(ctx)
	if err != nil {
		return nil, err
	}
	return &body[Status]{StatusOf(stats, relays, paused)}, nil
}

type pauseInput struct {
	Body struct {
		Types []string `json:"types,omitempty" doc:"Event types, at most 100. One that was paused by itself stays paused when all are resumed."`
		All   bool     `json:"all,omitempty" doc:"In place of types: all."`
		Note  string   `json:"note,omitempty" maxLength:"4000" doc:"For the audit log."`
	}
}

type pauseOutput struct {
	Paused []string `json:"paused" doc:"What is paused now; * stands for all."`
}

// pause pauses or resumes. Each type is a transaction of its own; sending the
// request again does the rest.
func (a *api) pause(paused bool) func(context.Context, *pauseInput) (*body[pauseOutput], error) {
	return func(ctx context.Context, in *pauseInput) (*body[pauseOutput], error) {
		types := in.Body.Types
		if in.Body.All == (len(types) > 0) {
			return nil, huma.Error422UnprocessableEntity("send types, or all, and not both")
		}
		if in.Body.All {
			types = []string{"*"}
		}
		if len(types) > 100 {
			return nil, huma.Error400BadRequest("more than 100 types: split them")
		}
		for _, t := range append([]string{in.Body.Note}, types...) {
			if err := checkText("a type or the note", t); err != nil {
				return nil, err
			}
		}
		for _, t := range types {
			if t == "" || len([]rune(t)) > 128 {
				return nil, huma.Error422UnprocessableEntity("an event type has 1 to 128 characters")
			}
		}
		act := driver.Act{By: personOf(ctx).Name, Note: in.Body.Note}
		for _, t := range types {
			if err := a.Store.SetPaused(driver.WithAct(ctx, act), t, paused, act.By); err != nil {
				return nil, err
			}
		}
		now, err := a.Store.Paused(ctx)
		if err != nil {
			return nil, err
		}
		return &body[pauseOutput]{pauseOutput{append([]string{}, now...)}}, nil
	}
}
