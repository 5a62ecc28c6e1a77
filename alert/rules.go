package alert

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

// The rules by name.
const (
	OldestWaiting   = "oldest-waiting"   // of an event type
	DeadLetters     = "dead-letters"     // in a window of time
	DestinationDown = "destination-down" // of a destination
	Unclaimed       = "unclaimed"        // of an event type
	NoRelay         = "no-relay"
)

// Rules are thresholds. The zero value has the defaults.
type Rules struct {
	// Off names rules that are not applied, for example [NoRelay]. Default: none.
	Off []string
	// OldestWaiting is how long an event may be due before it is delivered.
	// Default 5 min.
	OldestWaiting time.Duration
	// DeadLetters is how many open dead letters within DeadLettersWindow break
	// the rule. Defaults 10 and 15 min.
	DeadLetters       int
	DeadLettersWindow time.Duration
	// DestinationDown is how long a destination may be down. Default 2 min.
	DestinationDown time.Duration
	// Unclaimed is how long an event may be due whose type no relay knows.
	// Default 2 min.
	Unclaimed time.Duration
	// NoRelay is how long there may be no relay, counted from when the watcher
	// notices, up to a minute after the last one crashed. Default 1 min.
	NoRelay time.Duration
}

func (r Rules) withDefaults() Rules {
	r.OldestWaiting = cmp.Or(r.OldestWaiting, 5*time.Minute)
	r.DeadLetters = cmp.Or(r.DeadLetters, 10)
	r.DeadLettersWindow = cmp.Or(r.DeadLettersWindow, 15*time.Minute)
	r.DestinationDown = cmp.Or(r.DestinationDown, 2*time.Minute)
	r.Unclaimed = cmp.Or(r.Unclaimed, 2*time.Minute)
	r.NoRelay = cmp.Or(r.NoRelay, time.Minute)
	return r
}

func (r Rules) validate() error {
	for _, name := range r.Off {
		if all := []string{OldestWaiting, DeadLetters, DestinationDown, Unclaimed, NoRelay}; !slices.Contains(all, name) {
			return fmt.Errorf("alert: Rules.Off has %q, which is not a rule: use some of %q", name, all)
		}
	}
	if r.DeadLetters < 0 || min(r.OldestWaiting, r.DeadLettersWindow, r.DestinationDown, r.Unclaimed, r.NoRelay) < 0 {
		return errors.New("alert: a threshold must not be negative: leave it zero for its default, or name its rule in Rules.Off")
	}
	return nil
}

func (r Rules) off(name string) bool { return slices.Contains(r.Off, name) }

// State is what rules are applied to.
type State struct {
	Lanes    []driver.LaneStats
	Paused   []driver.Pause
	Relays   []driver.Instance
	AloneFor time.Duration // how long there has been no relay; 0 if there is one
	Dead     driver.Count  // open dead letters of the window
}

// fewNames are as many as a text names.
const fewNames = 3

// maxSubjects bounds the alerts of one rule; the worst are kept.
const maxSubjects = 50

// Evaluate returns the rules that a state breaks, with the defaults for
// thresholds that are zero.
func (r Rules) Evaluate(s State) []driver.Sighting {
	r = r.withDefaults()
	return slices.Concat(r.noRelay(s), r.waiting(s), r.unclaimed(s), r.down(s), r.dead(s))
}

func (r Rules) noRelay(s State) []driver.Sighting {
	if r.off(NoRelay) || len(s.Relays) > 0 || s.AloneFor < r.NoRelay {
		return nil
	}
	return []driver.Sighting{{Rule: NoRelay, Severity: driver.SeverityCritical, Text: "No relay is alive, so nothing is delivered."}}
}

func (r Rules) waiting(s State) (found []driver.Sighting) {
	if r.off(OldestWaiting) {
		return nil
	}
	for _, l := range worst(s.Lanes, r.OldestWaiting) {
		text := fmt.Sprintf("An event of type %s has been due for %s.", l.Lane, rounded(l.OldestDue))
		if s.paused(l.Lane) {
			text += " The type is paused."
		} else if names := driver.Pauses(s.Paused, driver.DestinationPause); len(names) > 0 {
			text += " Paused destinations: " + strings.Join(names[:min(len(names), fewNames)], ", ") + "."
		}
		found = append(found, driver.Sighting{Rule: OldestWaiting, Subject: l.Lane, Severity: driver.SeverityWarning, Text: text})
	}
	return found
}

// unclaimed is silent without relays, which is an alert of its own.
func (r Rules) unclaimed(s State) (found []driver.Sighting) {
	if r.off(Unclaimed) || len(s.Relays) == 0 {
		return nil
	}
	lanes := slices.DeleteFunc(slices.Clone(s.Lanes), func(l driver.LaneStats) bool {
		known := slices.ContainsFunc(s.Relays, func(in driver.Instance) bool { return slices.Contains(in.Lanes, l.Lane) })
		return known || l.Held.N > 0 || s.paused(l.Lane)
	})
	for _, l := range worst(lanes, r.Unclaimed) {
		found = append(found, driver.Sighting{Rule: Unclaimed, Subject: l.Lane, Severity: driver.SeverityCritical,
			Text: fmt.Sprintf("No relay claims events of type %s. The oldest has been due for %s.", l.Lane, rounded(l.OldestDue))})
	}
	return found
}

func (r Rules) down(s State) (found []driver.Sighting) {
	if r.off(DestinationDown) {
		return nil
	}
	longest := slices.SortedFunc(maps.Values(s.down()), func(a, b driver.InstanceDestination) int {
		return cmp.Or(cmp.Compare(b.Down, a.Down), cmp.Compare(a.Name, b.Name))
	})
	for _, d := range longest[:min(len(longest), maxSubjects)] {
		if d.Down >= r.DestinationDown {
			reason := strings.Join(strings.Fields(d.Reason), " ")
			found = append(found, driver.Sighting{Rule: DestinationDown, Subject: d.Name, Severity: driver.SeverityCritical,
				Text: fmt.Sprintf("The destination %s has been down for %s: %s", d.Name, rounded(d.Down), reason)})
		}
	}
	return found
}

// down returns the destinations that a relay sees down, each with the longest
// time that a relay has seen it down. It leaves out paused ones, which nobody
// expects to be up.
func (s State) down() map[string]driver.InstanceDestination {
	paused := driver.Pauses(s.Paused, driver.DestinationPause)
	all := map[string]driver.InstanceDestination{}
	for _, in := range s.Relays {
		for _, d := range in.Destinations {
			if d.Down > all[d.Name].Down && !slices.Contains(paused, d.Name) {
				all[d.Name] = d
			}
		}
	}
	return all
}

func (r Rules) dead(s State) []driver.Sighting {
	if r.off(DeadLetters) || s.Dead.N < int64(r.DeadLetters) {
		return nil
	}
	n := fmt.Sprint(s.Dead.N)
	if s.Dead.More {
		n = "more than " + n
	}
	return []driver.Sighting{{Rule: DeadLetters, Severity: driver.SeverityWarning,
		Text: fmt.Sprintf("Of the events that died within %s, %s are open dead letters.", rounded(r.DeadLettersWindow), n)}}
}

func (s State) paused(lane string) bool { return driver.LanePaused(s.Paused, lane) }

// worst are the lanes with an event that has been due for at least age, the
// oldest first.
func worst(lanes []driver.LaneStats, age time.Duration) []driver.LaneStats {
	late := slices.DeleteFunc(slices.Clone(lanes), func(l driver.LaneStats) bool { return l.OldestDue < max(age, 1) })
	slices.SortFunc(late, func(a, b driver.LaneStats) int {
		return cmp.Or(cmp.Compare(b.OldestDue, a.OldestDue), cmp.Compare(a.Lane, b.Lane))
	})
	return late[:min(len(late), maxSubjects)]
}

// rounded is a duration as people read it: 15m, and not 15m0s.
func rounded(d time.Duration) string {
	if d < time.Second {
		return d.Round(time.Millisecond).String()
	}
	text := d.Round(time.Second).String()
	for _, end := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(text, end) {
			text = text[:len(text)-2]
		}
	}
	return text
}
