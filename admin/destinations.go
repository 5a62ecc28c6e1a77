package admin

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/sendoff-go/outbox/driver"
)

// Destination is where events go, as relays announced it within the last minute.
type Destination struct {
	Name       string     `json:"name"`
	State      string     `json:"state" enum:"delivering,paused,down" doc:"A destination that is both down and paused is paused."`
	PausedBy   string     `json:"paused_by,omitempty"`
	PausedAt   *time.Time `json:"paused_at,omitempty"`
	DownSince  *time.Time `json:"down_since,omitempty" doc:"According to the relay that has seen it down the longest."`
	Reason     string     `json:"reason,omitempty" doc:"Why it is down."`
	Types      []string   `json:"types" doc:"Event types that may go there, sorted, at most 50 from each relay."`
	MoreTypes  bool       `json:"more_types,omitempty" doc:"Events of other types may go there too: a pattern leads there, or there are too many."`
	Relays     int        `json:"relays" doc:"How many relays have this destination."`
	RelaysDown int        `json:"relays_down" doc:"How many of them see it down."`
}

// The states of a destination.
const (
	DestinationDelivering = "delivering"
	DestinationPaused     = "paused"
	DestinationDown       = "down"
)

// DestinationsOf merges the destinations that relays announce with those that
// people have paused, sorted by name.
func DestinationsOf(relays []driver.Instance, pauses []driver.Pause) []Destination {
	all := map[string]*Destination{}
	of := func(name string) *Destination {
		if all[name] == nil {
			all[name] = &Destination{Name: name, State: DestinationDelivering, Types: []string{}}
		}
		return all[name]
	}
	for _, r := range relays {
		for _, seen := range r.Destinations {
			d := of(seen.Name)
			d.Relays++
			d.MoreTypes = d.MoreTypes || seen.More
			for _, t := range seen.Lanes {
				if i, there := slices.BinarySearch(d.Types, t); !there {
					d.Types = slices.Insert(d.Types, i, t)
				}
			}
			if seen.Down == 0 {
				continue
			}
			d.RelaysDown++
			if since := r.SeenAt.Add(-seen.Down); d.DownSince == nil || since.Before(*d.DownSince) {
				d.State, d.DownSince, d.Reason = DestinationDown, &since, seen.Reason
			}
		}
	}
	for _, p := range pauses {
		if p.Kind == driver.DestinationPause {
			d := of(p.Name)
			d.State, d.PausedBy, d.PausedAt = DestinationPaused, p.By, &p.At
		}
	}
	out := make([]Destination, 0, len(all))
	for _, name := range slices.Sorted(maps.Keys(all)) {
		out = append(out, *all[name])
	}
	return out
}

// DestinationList lists the destinations of the running relays.
type DestinationList struct {
	Destinations []Destination `json:"destinations" doc:"Sorted by name. A relay announces at most 500, those that are down first."`
}

// destinations registers what concerns them alone.
func (a *api) destinations(h huma.API) {
	operation(a, h, Viewer, http.MethodGet, "/api/v1/destinations", "list-destinations", "List the destinations of running relays: delivering, paused or down", a.listDestinations)
}

func (a *api) listDestinations(ctx context.Context, _ *struct{}) (*body[DestinationList], error) {
	relays, err := a.Store.Instances(ctx)
	if err != nil {
		return nil, err
	}
	pauses, err := a.Store.Paused(ctx)
	if err != nil {
		return nil, err
	}
	return &body[DestinationList]{DestinationList{DestinationsOf(relays, pauses)}}, nil
}
