package admin

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/sendoff-go/outbox/driver"
)

type pauseInput struct {
	Body struct {
		Types        []string `json:"types,omitempty" doc:"Event types. One that was paused by itself stays paused when all are resumed."`
		Destinations []string `json:"destinations,omitempty" doc:"Destinations by name, as list-destinations has them. Types and destinations are at most 100 together."`
		All          bool     `json:"all,omitempty" doc:"In place of both: all types."`
		Note         string   `json:"note,omitempty" maxLength:"4000" doc:"For the audit log."`
	}
}

type pauseOutput struct {
	Paused       []string `json:"paused" doc:"Event types that are paused now; * stands for all."`
	Destinations []string `json:"destinations" doc:"Destinations that are paused now."`
}

// what returns what to pause or resume.
func (in *pauseInput) what() (all []driver.Pausable, err error) {
	b := &in.Body
	if b.All == (len(b.Types)+len(b.Destinations) > 0) {
		return nil, huma.Error422UnprocessableEntity("send types, destinations, or all instead of them")
	}
	if b.All {
		return []driver.Pausable{driver.PausableLane("*")}, nil
	}
	if len(b.Types)+len(b.Destinations) > 100 {
		return nil, huma.Error400BadRequest("more than 100 types and destinations: split them")
	}
	for _, t := range b.Types {
		all = append(all, driver.PausableLane(t))
	}
	for _, d := range b.Destinations {
		all = append(all, driver.PausableDestination(d))
	}
	for _, p := range all {
		if err := p.Check(); err != nil {
			return nil, huma.Error422UnprocessableEntity(err.Error())
		}
	}
	return all, nil
}

// pause pauses or resumes. Each type and each destination is a transaction of its
// own; sending the request again does the rest.
func (a *api) pause(paused bool) func(context.Context, *pauseInput) (*body[pauseOutput], error) {
	return func(ctx context.Context, in *pauseInput) (*body[pauseOutput], error) {
		all, err := in.what()
		if err != nil {
			return nil, err
		}
		if err := checkText("note", in.Body.Note); err != nil {
			return nil, err
		}
		act := driver.Act{By: personOf(ctx).Name, Note: in.Body.Note}
		for _, p := range all {
			if err := a.Store.SetPaused(driver.WithAct(ctx, act), p, paused, act.By); err != nil {
				return nil, err
			}
		}
		now, err := a.Store.Paused(ctx)
		if err != nil {
			return nil, err
		}
		return &body[pauseOutput]{pauseOutput{
			append([]string{}, driver.Pauses(now, driver.LanePause)...),
			append([]string{}, driver.Pauses(now, driver.DestinationPause)...),
		}}, nil
	}
}
