package alert

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

func TestRulesAreBrokenAtTheirThresholds(t *testing.T) {
	relays := []driver.Instance{{Lanes: []string{"known"}}}
	lane := func(name string, due time.Duration) driver.LaneStats {
		return driver.LaneStats{Lane: name, OldestDue: due, Waiting: driver.Count{N: 1}}
	}
	down := []driver.Instance{
		{Destinations: []driver.InstanceDestination{{Name: "kafka", Down: time.Second, Reason: "refused"}, {Name: "http"}}},
		{Destinations: []driver.InstanceDestination{{Name: "kafka", Down: 2 * time.Minute, Reason: "refused"}, {Name: "nats", Down: time.Minute, Reason: "refused"}}},
	}
	held := lane("other", time.Hour)
	held.Held.N = 1
	for _, c := range []struct {
		name  string
		rules Rules
		state State
		want  []string
	}{
		{"nothing is wrong", Rules{}, State{Relays: relays, Lanes: []driver.LaneStats{lane("known", time.Minute)}}, nil},
		{"a lane without due events", Rules{OldestWaiting: 1}, State{Relays: relays, Lanes: []driver.LaneStats{lane("known", 0)}}, nil},
		{"an old event", Rules{}, State{Relays: relays, Lanes: []driver.LaneStats{lane("known", 5*time.Minute)}}, []string{"oldest-waiting/known"}},
		{"an old event, rule off", Rules{Off: []string{OldestWaiting}}, State{Relays: relays, Lanes: []driver.LaneStats{lane("known", time.Hour)}}, nil},
		{"no relay knows the lane", Rules{}, State{Relays: relays, Lanes: []driver.LaneStats{lane("other", 2*time.Minute)}}, []string{"unclaimed/other"}},
		{"the lane is paused", Rules{}, State{Relays: relays, Paused: []driver.Pause{{Pausable: driver.PausableLane("other")}}, Lanes: []driver.LaneStats{lane("other", 2*time.Minute)}}, nil},
		{"all is paused", Rules{}, State{Relays: relays, Paused: []driver.Pause{{Pausable: driver.PausableLane("*")}}, Lanes: []driver.LaneStats{lane("other", 2*time.Minute)}}, nil},
		{"somebody holds events of the lane", Rules{Off: []string{OldestWaiting}}, State{Relays: relays, Lanes: []driver.LaneStats{held}}, nil},
		{"no relay, for a moment", Rules{}, State{AloneFor: 59 * time.Second}, nil},
		{"no relay", Rules{Off: []string{OldestWaiting}}, State{AloneFor: time.Minute, Lanes: []driver.LaneStats{lane("other", time.Hour)}}, []string{"no-relay/"}},
		{"no relay, rule off", Rules{Off: []string{NoRelay}}, State{AloneFor: time.Hour}, nil},
		{"nine letters", Rules{}, State{Relays: relays, Dead: driver.Count{N: 9}}, nil},
		{"ten letters", Rules{}, State{Relays: relays, Dead: driver.Count{N: 10}}, []string{"dead-letters/"}},
		{"ten letters, rule off", Rules{Off: []string{DeadLetters}}, State{Relays: relays, Dead: driver.Count{N: 10}}, nil},
		{"a destination", Rules{}, State{Relays: down}, []string{"destination-down/kafka"}},
		{"a destination that is paused", Rules{}, State{Relays: down, Paused: []driver.Pause{{Pausable: driver.PausableDestination("kafka")}}}, nil},
		{"a lane with the name of a destination is paused", Rules{}, State{Relays: down, Paused: []driver.Pause{{Pausable: driver.PausableLane("kafka")}}}, []string{"destination-down/kafka"}},
		{"a destination, rule off", Rules{Off: []string{DestinationDown}}, State{Relays: down}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, s := range c.rules.Evaluate(c.state) {
				got = append(got, s.Rule+"/"+s.Subject)
				if s.Text == "" || s.Severity == "" {
					t.Errorf("%+v says nothing", s)
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}

func TestARuleKeepsItsWorstSubjects(t *testing.T) {
	s := State{Relays: []driver.Instance{{}}}
	for i := range maxSubjects + 10 {
		s.Lanes = append(s.Lanes, driver.LaneStats{Lane: fmt.Sprint(i), OldestDue: time.Hour + time.Duration(i)*time.Minute})
	}
	got := Rules{Off: []string{Unclaimed}}.Evaluate(s)
	if len(got) != maxSubjects || got[0].Subject != fmt.Sprint(maxSubjects+9) {
		t.Errorf("%d alerts, the first of %s", len(got), got[0].Subject)
	}
}

func TestRulesThatCannotBeMeantAreRefused(t *testing.T) {
	for name, r := range map[string]Rules{
		"an unknown rule":        {Off: []string{"no-relays"}},
		"a negative time":        {NoRelay: -1},
		"a negative number":      {DeadLetters: -1},
		"a negative time window": {DeadLettersWindow: -1},
	} {
		if err := r.validate(); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func TestDurationsHaveNoZerosAtTheirEnd(t *testing.T) {
	for d, want := range map[time.Duration]string{
		15 * time.Minute: "15m", time.Hour: "1h", 90 * time.Minute: "1h30m", 100 * time.Second: "1m40s", 10 * time.Second: "10s",
		20*time.Minute + 400*time.Millisecond: "20m", 1500 * time.Microsecond: "2ms", 0: "0s",
	} {
		if got := rounded(d); got != want {
			t.Errorf("%d is %q, expected %q", d, got, want)
		}
	}
}
