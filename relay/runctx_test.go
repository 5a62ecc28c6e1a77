package relay

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestARunsContextEndsAtItsDeadlineAndAtItsCancellation(t *testing.T) {
	for _, c := range []struct {
		name  string
		end   func(*runContext)
		want  error
		after time.Duration
	}{
		{"deadline", func(*runContext) {}, context.DeadlineExceeded, time.Minute},
		{"cancel", func(c *runContext) { c.cancel() }, context.Canceled, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				type keyType struct{}
				start := time.Now()
				run := newRunContext(context.WithValue(context.Background(), keyType{}, 7), start.Add(time.Minute))
				derived, cancel := context.WithTimeout(run, time.Hour)
				defer cancel()
				stopped := context.AfterFunc(run, func() { t.Error("was stopped before") })
				if run.Err() != nil || derived.Value(keyType{}) != 7 || !stopped() {
					t.Error("ended before its time, or lost a value")
				}
				if d, ok := derived.Deadline(); !ok || !d.Equal(start.Add(time.Minute)) {
					t.Errorf("deadline %v", d)
				}
				c.end(run)
				<-derived.Done()
				<-run.Done()
				if !errors.Is(run.Err(), c.want) || !errors.Is(derived.Err(), c.want) || time.Since(start) != c.after {
					t.Errorf("ended with %v and %v after %s", run.Err(), derived.Err(), time.Since(start))
				}
				run.end(errors.New("too late"))
				if !errors.Is(run.Err(), c.want) {
					t.Errorf("a second end changed it to %v", run.Err())
				}
			})
		})
	}
}

func TestARunsContextKnowsItsDeadlineWithoutBeingWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		run := newRunContext(context.Background(), time.Now().Add(time.Second))
		<-time.After(2 * time.Second)
		if !errors.Is(run.Err(), context.DeadlineExceeded) {
			t.Errorf("error %v", run.Err())
		}
		<-run.Done()
		ran := make(chan struct{})
		if stop := run.AfterFunc(func() { close(ran) }); stop() {
			t.Error("a function of an ended context was stopped")
		}
		<-ran
	})
}
