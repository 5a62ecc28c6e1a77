package relay_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/relay"
)

// keepWriting writes an event every few milliseconds until the end of the test,
// faster than the listener of lane A takes them.
func keepWriting(ctx context.Context, r *rig, write func(context.Context, ...outbox.Event) []string) (end func()) {
	going, cancel := context.WithCancel(ctx) // not for the writes: one may be under way at the end
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := 0; going.Err() == nil; i++ {
			write(ctx, outbox.Event{Type: "A", ID: fmt.Sprintf("late-%d", i), JSON: []byte(`{}`)})
			<-time.After(2 * time.Millisecond)
		}
	}()
	return func() { cancel(); <-done; synctest.Wait() }
}

func TestARoundEndsBesideAWriterThatNeverStops(t *testing.T) {
	for path, write := range map[string]func(*rig) func(context.Context, ...outbox.Event) []string{
		"cold": func(r *rig) func(context.Context, ...outbox.Event) []string { return r.writeCold },
		"hot":  func(r *rig) func(context.Context, ...outbox.Event) []string { return r.write },
	} {
		t.Run(path, func(t *testing.T) {
			bubble(t, relay.Config{}, func(r *rig) {
				r.reg.Handle("A", func(_ context.Context, e outbox.Event) error {
					r.seen.note(e)
					<-time.After(10 * time.Millisecond)
					return nil
				})
			}, func(ctx context.Context, r *rig) {
				waiting := events("A", 300)
				r.writeCold(ctx, waiting...)
				pass(time.Second)
				end := keepWriting(context.WithoutCancel(ctx), r, write(r))
				defer end()
				short, cancel := context.WithTimeout(ctx, time.Minute)
				defer cancel()
				begun := time.Now()
				report, err := r.relay.RunOnce(short)
				if err != nil {
					r.t.Fatalf("%+v, %v after %s", report, err, time.Since(begun))
				}
				for _, e := range waiting {
					if n := r.seen.times(e.ID); n != 1 {
						r.t.Fatalf("%s, which waited, ran %d times", e.ID, n)
					}
				}
				if s := r.stats(ctx); s.Held.N > 1 { // by a head start that has just begun
					t.Errorf("%d are still held", s.Held.N)
				}
			})
		})
	}
}

// What a round leaves is there for the next one.
func TestWhatBecomesDueInARoundIsForTheNextOne(t *testing.T) {
	bubble(t, relay.Config{}, func(r *rig) {
		r.reg.Handle("A", func(ctx context.Context, e outbox.Event) error {
			<-time.After(time.Millisecond)
			if r.seen.note(e); e.ID == "A-00000" {
				r.writeCold(ctx, event("A", 1))
			}
			return nil
		})
	}, func(ctx context.Context, r *rig) {
		r.writeCold(ctx, event("A", 0))
		for n := range 2 {
			if report, err := r.relay.RunOnce(ctx); err != nil || report.Delivered != 1 {
				t.Errorf("round %d: %+v, %v", n+1, report, err)
			}
		}
		r.wantStats(ctx, 0, 0, 2, 0)
	})
}
