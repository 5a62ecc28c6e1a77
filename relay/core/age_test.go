package core

import (
	"testing"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

func TestTheAgeOfAnEventIsFromWhenItWasWrittenOrDue(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	before := func(d time.Duration) time.Time { return now.Add(-d) }
	for name, tt := range map[string]struct {
		it   Item
		want time.Duration
	}{
		"hot":                       {Item{Hot: true, Since: before(time.Second)}, 3 * time.Second},
		"cold":                      {Item{CreatedAt: before(time.Minute), Since: before(time.Second)}, 62 * time.Second},
		"delayed":                   {Item{CreatedAt: before(time.Hour), Place: driver.Position{AvailableAt: before(time.Minute)}, Since: before(time.Second)}, 62 * time.Second},
		"retried":                   {Item{CreatedAt: before(time.Minute), claim: claim{Attempts: 1}, Place: driver.Position{AvailableAt: before(time.Second)}, Since: before(time.Second)}, 62 * time.Second},
		"by a clock that is behind": {Item{CreatedAt: now.Add(time.Hour), Since: before(time.Second)}, 3 * time.Second},
		"of an unknown time":        {Item{Since: before(time.Second)}, 3 * time.Second},
	} {
		tt.it.started = now
		if got := tt.it.age(2 * time.Second); got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}
