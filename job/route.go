package job

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/sendoff-go/outbox/driver"
)

// Route is what the destination of a replay stands for. The outbox does not keep
// where an event was delivered, so it is what running relays announce now.
type Route struct {
	// Types are the event types that go there, sorted. All their events are
	// replayed, wherever they went before.
	Types []string
	// Elsewhere are the other destinations that events of these types have now,
	// sorted: by the type of their aggregate, or because relays disagree.
	Elsewhere []string
}

// ErrRerouted says that the types that go to the destination of a replay are not
// those of [Spec.Types], and that no job was started.
var ErrRerouted = errors.New("job: other event types go to this destination now: count again, and start the job with those")

// RouteOf finds what the destination of a spec stands for. It returns no types for
// a spec that is not a replay by destination, an [ErrSpec] if running relays do not
// say enough, and [ErrRerouted] if the spec has other types.
func RouteOf(ctx context.Context, s driver.InstanceStore, spec Spec) (r Route, err error) {
	if !spec.routed() {
		return r, nil
	}
	relays, err := s.Instances(ctx)
	if err != nil {
		return r, err
	}
	to, wanted := spec.Filter.Destination, spec.Filter.Type
	there, more := false, false
	for _, relay := range relays {
		for _, d := range relay.Destinations {
			if d.Name == to {
				there, more = true, more || d.More
				r.Types = append(r.Types, d.Lanes...)
			}
		}
	}
	slices.Sort(r.Types)
	r.Types = slices.Compact(r.Types)
	known := slices.Contains(r.Types, wanted)
	if known {
		r.Types = []string{wanted}
	}
	r.Elsewhere = elsewhere(relays, to, r.Types)
	switch {
	case len(relays) == 0:
		return r, bad("no relay runs, and only relays know which event types go to %q: start one, or choose by type instead", to)
	case !there:
		return r, bad("no running relay has the destination %q: name it as the list of destinations does, or choose by type instead", to)
	case wanted != "" && !known:
		return r, bad("no running relay announces that events of type %q go to %q%s: leave the destination out to replay them to where they go now", wanted, to, butTo(elsewhere(relays, to, []string{wanted})))
	case wanted == "" && more:
		return r, bad("types that relays do not announce may go to %q too, because a pattern leads there or there are too many: add a type, one of %s", to, listed(r.Types))
	case len(r.Types) == 0:
		return r, bad("no running relay announces an event type for %q: choose by type instead", to)
	case len(spec.Types) > 0 && !slices.Equal(spec.Types, r.Types):
		return r, ErrRerouted
	}
	return r, nil
}

// elsewhere lists the other destinations of these types.
func elsewhere(relays []driver.Instance, not string, types []string) (names []string) {
	for _, relay := range relays {
		for _, d := range relay.Destinations {
			if d.Name != not && slices.ContainsFunc(d.Lanes, func(t string) bool { return slices.Contains(types, t) }) {
				names = append(names, d.Name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func butTo(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return ", but to " + listed(names)
}

// listed names a few.
func listed(names []string) string {
	const few = 5
	if len(names) == 0 {
		return "those that you know"
	}
	quoted := make([]string, min(len(names), few))
	for i := range quoted {
		quoted[i] = strconv.Quote(names[i])
	}
	if len(names) > few {
		return strings.Join(quoted, ", ") + " and others"
	}
	return strings.Join(quoted, ", ")
}

// routed reports whether the spec is a replay by destination.
func (s *Spec) routed() bool { return s.Action == Replay && s.Filter.Destination != "" }

// lanes are the event types of a replay; "" is any.
func (s *Spec) lanes() []string {
	if s.routed() {
		return s.Types
	}
	return []string{s.Filter.Type}
}

// delivered is the filter of a replay for one event type; "" is any.
func (s *Spec) delivered(lane string) driver.EventFilter {
	f := s.Filter.events(driver.EventDone)
	f.Lane = lane
	return f
}
