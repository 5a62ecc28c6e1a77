package locktest

import (
	"context"
	"testing"
	"time"
)

// pulse measures for how long a machine, its disk or its server has stood still.
type pulse struct{ longest time.Duration }

// feel begins to measure, with a pause and a small transaction at a time, by a
// session that has no limits. Longest is valid after stop.
func (p *pulse) feel(t testing.TB, exec func(ctx context.Context, query string) error) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	if err := exec(ctx, "CREATE TABLE IF NOT EXISTS pulse (n INTEGER)"); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(beat)
		defer tick.Stop()
		for ctx.Err() == nil {
			began := time.Now()
			<-tick.C
			if err := exec(ctx, "INSERT INTO pulse VALUES (1)"); err != nil && ctx.Err() == nil {
				t.Errorf("a session without limits: %v", err)
				return
			}
			p.longest = max(p.longest, time.Since(began)-beat) // also of a beat that stop cut short
		}
	}()
	return func() {
		cancel()
		<-done
	}
}

const beat = 20 * time.Millisecond
