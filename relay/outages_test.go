package relay_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/outboxtest"
	"github.com/sendoff-go/outbox/relay"
)

// Without a check the relay tries it with events, and it is half-open in between.
func TestADestinationWithoutACheckIsDownUntilItAnswers(t *testing.T) {
	var down atomic.Bool
	down.Store(true)
	bubble(t, everySecond, func(r *rig) {
		r.reg.Handle("A", func(context.Context, outbox.Event) error {
			if down.Load() {
				return outbox.Unavailable(errBoom)
			}
			return nil
		})
	}, func(ctx context.Context, r *rig) {
		announced := func() time.Duration {
			t.Helper()
			ins, err := r.store.Instances(ctx)
			if err != nil || len(ins) != 1 || len(ins[0].Destinations) != 1 {
				t.Fatalf("%+v, error %v", ins, err)
			}
			return ins[0].Destinations[0].Down
		}
		r.run()
		r.write(ctx, event("A", 1))
		pass(10 * time.Minute)
		if d := announced(); d < 9*time.Minute {
			t.Errorf("announced as down for %s, and it is for ten minutes", d)
		}
		down.Store(false)
		pass(time.Minute)
		if d := announced(); d != 0 {
			t.Errorf("announced as down for %s, and it is back", d)
		}
	})
}

// Another relay has delivered what waited.
func TestADestinationWithoutFurtherEventsIsNotDownForeverAfterItsCheckHasPassed(t *testing.T) {
	sinkRig(everySecond, t, func(ctx context.Context, r *rig, s *outboxtest.FlakySink) {
		announced := func() time.Duration {
			t.Helper()
			ins, err := r.store.Instances(ctx)
			if err != nil {
				t.Fatal(err)
			}
			for _, in := range ins {
				for _, d := range in.Destinations {
					if d.Name == "topic" || d.Down > 0 {
						return d.Down
					}
				}
			}
			return 0
		}
		s.SetDown(true)
		r.run()
		r.writeCold(ctx, event("A", 1))
		pass(time.Minute)
		if announced() == 0 {
			t.Fatal("not announced as down")
		}
		reg := outbox.NewRegistry()
		reg.Handle("A", func(context.Context, outbox.Event) error { return nil })
		other, err := relay.New(r.store, reg, relay.Config{Logger: quietLog()})
		if err != nil {
			t.Fatal(err)
		}
		for range 20 { // until it finds the event free
			if rep, err := other.RunOnce(ctx); err != nil || rep.Delivered > 0 {
				break
			}
			pass(time.Second)
		}
		r.wantStats(ctx, 0, 0, 1, 0)
		s.SetDown(false)
		pass(10 * time.Minute)
		if d := announced(); d != 0 {
			t.Errorf("announced as down for %s, and its check has passed long ago", d)
		}
	})
}

func TestARelayAnnouncesItsDestinations(t *testing.T) {
	sinkRig(everySecond, t, func(ctx context.Context, r *rig, s *outboxtest.FlakySink) {
		announced := func() map[string]driver.InstanceDestination {
			t.Helper()
			ins, err := r.store.Instances(ctx)
			if err != nil || len(ins) != 1 || len(ins[0].Destinations) != 2 {
				t.Fatalf("%+v, error %v", ins, err)
			}
			by := map[string]driver.InstanceDestination{}
			for _, d := range ins[0].Destinations {
				by[d.Name] = d
			}
			return by
		}
		a, b := r.reg.Lookup("", "A").Name(), r.reg.Lookup("", "B").Name()
		r.run()
		if d := announced(); d[a].Down != 0 || d[b].Name != b {
			t.Errorf("at first %+v", d)
		}
		s.SetDown(true)
		r.write(ctx, event("A", 1))
		pass(5 * time.Minute)
		if d := announced(); d[a].Down < 4*time.Minute || d[a].Down > 5*time.Minute || d[a].Reason == "" || d[b].Down != 0 {
			t.Errorf("down for five minutes: %+v", d)
		}
		s.SetDown(false)
		pass(time.Minute)
		if d := announced(); d[a].Down != 0 || d[a].Reason != "" {
			t.Errorf("back: %+v", d)
		}
	})
}

func TestARelayAnnouncesWhichTypesGoToADestination(t *testing.T) {
	s := &outboxtest.FlakySink{}
	bubble(t, everySecond, func(r *rig) {
		r.reg.Route("A", s, outbox.To("few"))
		r.reg.Route("B", s, outbox.To("few"))
		r.reg.Route("C", s, outbox.To("open"))
		r.reg.Route("x-*", s, outbox.To("open")) // of which none has come
		for i := range driver.MaxDestinationLanes + 1 {
			r.reg.Route(fmt.Sprintf("t%02d", i), s, outbox.To("many"))
		}
	}, func(ctx context.Context, r *rig) {
		r.run()
		pass(time.Second)
		ins, err := r.store.Instances(ctx)
		if err != nil || len(ins) != 1 || len(ins[0].Destinations) != 3 {
			t.Fatalf("%+v, error %v", ins, err)
		}
		for _, d := range ins[0].Destinations {
			lanes, more := map[string]int{
				r.reg.Lookup("", "A").Name(): 2, r.reg.Lookup("", "C").Name(): 1, r.reg.Lookup("", "t00").Name(): driver.MaxDestinationLanes,
			}[d.Name], d.Name != r.reg.Lookup("", "A").Name()
			if len(d.Lanes) != lanes || d.More != more {
				t.Errorf("%s has %d lanes, more: %t; want %d, %t", d.Name, len(d.Lanes), d.More, lanes, more)
			}
		}
	})
}
