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
	Held      Count   `json:"held" doc:"Claimed by a relay. If more is true, there may be others, which are counted as waiting."`
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
	Figures   Figures   `json:"figures"`
}

// Status is the state of an outbox.
type Status struct {
	Lane
	Done         Count         `json:"done" doc:"Delivered and kept."`
	Types        []Lane        `json:"types"`
	Relays       []Relay       `json:"relays"`
	Paused       []string      `json:"paused" doc:"Event types; * stands for all."`
	Destinations []Destination `json:"destinations" doc:"As list-destinations has them."`
}

// StatusOf puts the answers of a store together.
func StatusOf(stats driver.Stats, relays []driver.Instance, paused []driver.Pause) Status {
	s := Status{
		Lane: Lane{Type: "*", Waiting: Count(stats.Waiting), Held: Count(stats.Held), Dead: Count(stats.Dead), OldestDue: stats.OldestDue.Seconds()},
		Done: Count(stats.Done), Types: []Lane{}, Relays: []Relay{}, Paused: append([]string{}, driver.Pauses(paused, driver.LanePause)...),
		Destinations: DestinationsOf(relays, paused),
	}
	for _, l := range stats.Lanes {
		s.Types = append(s.Types, Lane{l.Lane, Count(l.Waiting), Count(l.Held), Count(l.Dead), l.OldestDue.Seconds()})
	}
	for _, r := range relays {
		s.Relays = append(s.Relays, Relay{string(r.Owner), r.Version, r.StartedAt, r.SeenAt, append([]string{}, r.Lanes...), figuresOf(r.Figures)})
	}
	return s
}

// lanes registers what concerns event types and relays.
func (a *api) lanes(h huma.API) {
	operation(a, h, Viewer, http.MethodGet, "/api/v1/status", "get-status", "Show what waits, what failed, what is paused, and which relays run", a.status)
	operation(a, h, Viewer, http.MethodGet, "/api/v1/lanes", "list-lanes", "List the event types, and what waits of each", a.listLanes)
	operation(a, h, Viewer, http.MethodGet, "/api/v1/instances", "list-instances", "List the relays that run", a.listInstances)
	operation(a, h, Operator, http.MethodPost, "/api/v1/pause", "pause", "Pause the delivery of event types, or to destinations", a.pause(true))
	operation(a, h, Operator, http.MethodPost, "/api/v1/resume", "resume", "Resume the delivery of event types, or to destinations, that were paused", a.pause(false))
}

// LaneList is the event types.
type LaneList struct {
	Lanes []Lane `json:"lanes"`
}

func (a *api) listLanes(ctx context.Context, _ *struct{}) (*body[LaneList], error) {
	stats, err := a.Store.Stats(ctx)
	if err != nil {
		return nil, err
	}
	return &body[LaneList]{LaneList{StatusOf(stats, nil, nil).Types}}, nil
}

// InstanceList is the relays that run.
type InstanceList struct {
	Instances []Relay `json:"instances"`
}

func (a *api) listInstances(ctx context.Context, _ *struct{}) (*body[InstanceList], error) {
	relays, err := a.Store.Instances(ctx)
	if err != nil {
		return nil, err
	}
	return &body[InstanceList]{InstanceList{StatusOf(driver.Stats{}, relays, nil).Relays}}, nil
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
