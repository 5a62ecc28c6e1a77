package relay_test

import (
	"context"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/outboxtest"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/retry"
)

// lines are those of a level.
func (l *logged) of(level slog.Level) (found []logLine) { return l.with(level, "") }

func TestFailuresAreWarnedOfAtOnceThenSparselyAndAtTheirEnd(t *testing.T) {
	log := &logged{}
	var topic atomic.Bool
	cfg := relay.Config{Logger: slog.New(log), Lane: relay.LaneConfig{Interval: time.Second, MaxAttempts: 1000, Retry: retry.Fixed(time.Second)}}
	bubble(t, cfg, func(r *rig) {
		r.reg.Handle("A", func(context.Context, outbox.Event) error {
			if !topic.Load() {
				return errBoom
			}
			return nil
		})
	}, func(ctx context.Context, r *rig) {
		r.run()
		r.write(ctx, events("A", 10)...)
		settled()
		warned := log.of(slog.LevelWarn)
		if len(warned) != 1 || warned[0].attrs["error"] != "boom" || warned[0].attrs["event_type"] != "A" || warned[0].attrs["event_id"] == "" {
			t.Fatalf("the first of 10 failures gave the warnings %+v, want one with the reason", warned)
		}
		pass(150 * time.Second)
		if warned = log.of(slog.LevelWarn); len(warned) != 3 || warned[2].attrs["failures"] == "1" {
			t.Errorf("150 seconds of failures gave the warnings %+v, want three, with a count", warned)
		}
		topic.Store(true)
		pass(5 * time.Second)
		if told := log.of(slog.LevelInfo); len(told) != 1 || told[0].attrs["target"] == "" || told[0].attrs["failures"] == "" {
			t.Errorf("its end gave %+v, want one line", told)
		}
		r.wantStats(ctx, 0, 0, 10, 0)
	})
}

func TestALongOutageOfAListenerIsWarnedOfOnceAMinute(t *testing.T) {
	log := &logged{}
	var up atomic.Bool
	bubble(t, relay.Config{Logger: slog.New(log), Lane: relay.LaneConfig{Interval: time.Second}}, func(r *rig) {
		r.reg.Handle("A", func(context.Context, outbox.Event) error {
			if !up.Load() {
				return errDialRefused
			}
			return nil
		})
	}, func(ctx context.Context, r *rig) {
		r.run()
		r.write(ctx, event("A", 1))
		pass(10 * time.Minute)
		if n := len(log.of(slog.LevelWarn)); n < 9 || n > 11 {
			t.Errorf("%d warnings in ten minutes", n)
		}
		up.Store(true)
		pass(time.Minute)
		if told := log.with(slog.LevelInfo, "is back"); len(told) != 1 {
			t.Errorf("its end gave %+v", told)
		}
	})
}

// checkedSink is a sink with a check, both of which fail while it is down.
type checkedSink struct{ down *atomic.Bool }

func (s checkedSink) Send(_ context.Context, batch []outbox.Message) []error {
	errs := make([]error, len(batch))
	for i := range errs {
		errs[i] = outbox.Unavailable(s.Check(context.Background()))
	}
	return errs
}

func (s checkedSink) Check(context.Context) error {
	if s.down.Load() {
		return errDialRefused
	}
	return nil
}

func TestALongOutageOfASinkIsWarnedOfAlsoRightAfterAShortOne(t *testing.T) {
	log, down := &logged{}, &atomic.Bool{}
	bubble(t, relay.Config{Logger: slog.New(log), Lane: relay.LaneConfig{Interval: time.Second}}, func(r *rig) {
		r.reg.Route("A", checkedSink{down})
	}, func(ctx context.Context, r *rig) {
		r.run()
		for i, lasts := range []time.Duration{5 * time.Second, 10 * time.Minute} {
			down.Store(true)
			r.write(ctx, event("A", i))
			pass(lasts)
			down.Store(false)
			pass(20 * time.Second)
		}
		if n := len(log.of(slog.LevelWarn)); n < 9 || n > 12 {
			t.Errorf("%d warnings in ten minutes", n)
		}
		if told := log.with(slog.LevelInfo, "is back"); len(told) != 2 {
			t.Errorf("the ends of two outages gave %+v", told)
		}
		r.wantStats(ctx, 0, 0, 2, 0)
	})
}

func TestAnOutageOfTheDatabaseIsOneLineAndItsEndAnother(t *testing.T) {
	log := &logged{}
	cfg := relay.Config{Logger: slog.New(log), Lane: relay.LaneConfig{Interval: time.Second}}
	bubble(t, cfg, recordA, func(ctx context.Context, r *rig) {
		f := r.flaky(cfg)
		r.run()
		r.write(ctx, events("A", 10)...)
		f.Plan(func(outboxtest.Op, int) outboxtest.Fault { return outboxtest.Refuse })
		pass(10 * time.Second)
		if told := log.of(slog.LevelError); len(told) != 1 || !strings.Contains(told[0].attrs["error"], "refused by the test") {
			t.Errorf("ten seconds without the database gave %+v, want one line", told)
		}
		f.Plan(nil)
		pass(20 * time.Second)
		if told := log.with(slog.LevelInfo, "database"); len(told) != 1 || told[0].attrs["lasted"] == "" {
			t.Errorf("its end gave %+v, want one line", told)
		}
		if told := log.of(slog.LevelError); len(told) != 1 {
			t.Errorf("after its end there is %+v", told[1:])
		}
		r.wantStats(ctx, 0, 0, 10, 0)
	})
}

// ailing is a store whose claims and looks fail with an error, if there is one.
type ailing struct {
	driver.Store
	err *atomic.Pointer[error]
}

func (s ailing) Claim(ctx context.Context, req driver.ClaimRequest) ([]driver.Claimed, error) {
	if err := s.err.Load(); err != nil {
		return nil, *err
	}
	return s.Store.Claim(ctx, req)
}

func (s ailing) Lanes(ctx context.Context, after string, limit int) ([]driver.WaitingLane, error) {
	if err := s.err.Load(); err != nil {
		return nil, *err
	}
	return s.Store.Lanes(ctx, after, limit)
}

func TestALoopThatFailedBeforeAnOutageIsSaidToWorkAgain(t *testing.T) {
	log, err := &logged{}, &atomic.Pointer[error]{}
	cfg := relay.Config{Logger: slog.New(log), Lane: relay.LaneConfig{Interval: time.Second}}
	bubble(t, cfg, recordA, func(ctx context.Context, r *rig) {
		r.over(ailing{r.store, err}, cfg)
		r.run()
		for _, e := range []error{outbox.ErrSchema, outbox.ErrStoreDown} {
			err.Store(&e)
			pass(2 * time.Minute)
		}
		err.Store(nil)
		pass(time.Minute)
		for _, want := range []string{"database is back", "claim works again", "look works again"} {
			if told := log.with(slog.LevelInfo, want); len(told) != 1 {
				t.Errorf("%q is told %d times", want, len(told))
			}
		}
	})
}

func TestADeadEventIsNotCountedAmongThoseThatFailMuchLater(t *testing.T) {
	log := &logged{}
	cfg := relay.Config{Logger: slog.New(log), Lane: relay.LaneConfig{Interval: time.Second, MaxAttempts: 2, Retry: retry.Fixed(time.Second)}}
	bubble(t, cfg, func(r *rig) {
		r.reg.Handle("A", func(_ context.Context, e outbox.Event) error {
			if r.seen.note(e) == 1 || e.ID == "A-00001" {
				return errBoom
			}
			return nil
		})
	}, func(ctx context.Context, r *rig) {
		r.run()
		r.write(ctx, event("A", 1))
		pass(2 * time.Hour)
		r.write(ctx, event("A", 2))
		pass(time.Minute)
		r.wantStats(ctx, 0, 0, 1, 1)
		told := log.with(slog.LevelInfo, "had failed")
		if len(told) != 1 || told[0].attrs["failures"] != "1" || strings.Contains(told[0].attrs["lasted"], "h") {
			t.Errorf("the log has %+v", told)
		}
		if n := len(log.of(slog.LevelWarn)); n != 2 {
			t.Errorf("%d warnings, want one of each event", n)
		}
	})
}

// deaf is a source of wake-ups that is lost with the store.
type deaf struct{ err *atomic.Pointer[error] }

func (w deaf) Listen(ctx context.Context, wake func([]string)) error {
	for heard := false; ; heard = true {
		if err := w.err.Load(); err != nil {
			return *err
		}
		if !heard {
			wake(nil)
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// It is reported after a pause, in which the outage may end.
func TestAListenThatFailedInAnOutageIsNotToldAfterIt(t *testing.T) {
	log, err := &logged{}, &atomic.Pointer[error]{}
	cfg := relay.Config{Logger: slog.New(log), Lane: relay.LaneConfig{Interval: time.Second}, Wakers: []driver.Waker{deaf{err}}}
	bubble(t, cfg, recordA, func(_ context.Context, r *rig) {
		r.over(ailing{r.store, err}, cfg)
		r.run()
		const outages = 40
		for i := range outages {
			down := outbox.ErrStoreDown
			err.Store(&down)
			pass(20*time.Second + time.Duration(i)*130*time.Millisecond)
			err.Store(nil)
			pass(time.Minute)
		}
		if told := log.of(slog.LevelError); len(told) != outages {
			t.Errorf("%d outages gave %d lines, %+v", outages, len(told), log.with(slog.LevelError, "listen"))
		}
	})
}
