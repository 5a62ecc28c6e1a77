package relay_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/outboxtest"
	"github.com/sendoff-go/outbox/relay"
	"github.com/sendoff-go/outbox/store/memstore"
)

// callingLog calls the relay for each line that it has not had before.
type callingLog struct {
	*logged
	call func(eventType string)
}

func (l callingLog) WithAttrs([]slog.Attr) slog.Handler { return l }
func (l callingLog) WithGroup(string) slog.Handler      { return l }

func (l callingLog) Handle(ctx context.Context, r slog.Record) error {
	known := len(l.with(r.Level, r.Message)) > 0
	err := l.logged.Handle(ctx, r)
	if !known {
		about := ""
		r.Attrs(func(a slog.Attr) bool {
			if a.Key == "event_type" {
				about = a.Value.String()
			}
			return true
		})
		l.call(about)
	}
	return err
}

// watched ends the test with all stacks if it hangs: time in a bubble stands still then.
func watched(t *testing.T) {
	late := time.AfterFunc(time.Minute, func() {
		debug.SetTraceback("all")
		panic(t.Name() + ": a call of the relay from within has not returned")
	})
	t.Cleanup(func() { late.Stop() })
}

// A log may send its lines through the outbox: it must not find the relay locked.
func TestTheLogMayCallTheRelay(t *testing.T) {
	watched(t)
	var r *rig
	var calls atomic.Int64
	log := &logged{}
	cfg := everySecond
	cfg.Logger = slog.New(callingLog{log, func(eventType string) {
		n := calls.Add(1)
		r.relay.Wake()
		r.relay.Wake("A", eventType)
		if _, err := r.relay.RunOnce(context.Background()); !errors.Is(err, relay.ErrRunning) {
			t.Errorf("RunOnce beside Run: %v", err)
		}
		about := cmp.Or(eventType, "line")
		err := r.w.InTx(context.Background(), func(ctx context.Context, tx *memstore.Tx) error {
			_, err := r.w.WriteAll(ctx, tx, event("line", int(n)), outbox.Event{Type: about, ID: fmt.Sprint("about-", n), JSON: []byte("1")})
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}})
	cfg.Lane.HotQueue = 2
	cfg.Lane.Timeout = 2 * time.Second
	cfg.Lane.Retry = policyFunc(func(int) time.Duration { panic("no delay") })
	cfg.LaneFor = func(eventType string) relay.LaneConfig {
		switch eventType {
		case "later-1":
			panic("no settings")
		case "later-2":
			return relay.LaneConfig{Interval: -1}
		}
		return relay.LaneConfig{FairByTenant: eventType == "fair"}
	}
	fine := func(context.Context, outbox.Event) error { return nil }
	bubble(t, cfg, func(made *rig) {
		r = made
		r.reg.Handle("A", fine)
		r.reg.Handle("line", fine)
		r.reg.Handle("fair", fine)
		r.reg.Handle("bad", func(context.Context, outbox.Event) error { return errBoom })
		r.reg.Handle("panics", func(context.Context, outbox.Event) error { panic("no answer") })
		r.reg.Handle("stuck", func(context.Context, outbox.Event) error { <-r.gate; return nil })
		r.reg.Handle("twice", func(_ context.Context, e outbox.Event) error {
			if r.seen.note(e) == 1 {
				return errBoom
			}
			return nil
		})
		r.reg.Handle("away", func(_ context.Context, e outbox.Event) error {
			if r.seen.note(e) == 1 {
				return outbox.Unavailable(errBoom)
			}
			return nil
		})
		r.reg.Route("later-*", &outboxtest.FlakySink{})
	}, func(ctx context.Context, r *rig) {
		rel, err := relay.New(unprepared{r.store, r.store}, r.reg, cfg)
		if err != nil {
			t.Fatal(err)
		}
		r.relay, r.w = rel, outbox.NewWriter(r.store, rel.HotPath(), outbox.WithLogger(quietLog()))
		r.writeCold(ctx, events("fair", 500)...)
		r.run()
		defer close(r.gate)
		for _, typ := range []string{"A", "bad", "panics", "twice", "away", "later-1", "nobody"} {
			r.writeCold(ctx, event(typ, 1))
			r.write(ctx, event(typ, 2))
		}
		for i := range 20 {
			r.write(ctx, event("stuck", i))
		}
		r.writeCold(ctx, event("later-2", 1))
		pass(time.Minute)
		log.mu.Lock()
		defer log.mu.Unlock()
		for _, word := range []string{
			"LaneFor panicked", "LaneFor returned invalid settings", "cannot divide", "the retry policy panicked", "ignores the end of its context",
			"event is dead", "delivery fails", "events that had failed were delivered", "destination is unavailable", "destination is back",
			"hot queue is full", "no listener or route", "panic while handling",
		} {
			if !slices.ContainsFunc(log.lines, func(l logLine) bool { return strings.Contains(l.text, word) }) {
				t.Errorf("the log has no line with %q", word)
			}
		}
	})
}
