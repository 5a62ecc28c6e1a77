package relay_test

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/relay"
)

// logged is a log whose lines can be read.
type logged struct {
	mu    sync.Mutex
	lines []logLine
}

type logLine struct {
	level slog.Level
	text  string
	attrs map[string]string
}

func (l *logged) Enabled(context.Context, slog.Level) bool { return true }
func (l *logged) WithAttrs([]slog.Attr) slog.Handler       { return l }
func (l *logged) WithGroup(string) slog.Handler            { return l }

func (l *logged) Handle(_ context.Context, r slog.Record) error {
	line := logLine{r.Level, r.Message, map[string]string{}}
	r.Attrs(func(a slog.Attr) bool { line.attrs[a.Key] = a.Value.String(); return true })
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, line)
	return nil
}

// with lists the lines of a level that have a word in their message.
func (l *logged) with(level slog.Level, word string) (found []logLine) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, line := range l.lines {
		if line.level == level && strings.Contains(line.text, word) {
			found = append(found, line)
		}
	}
	return found
}

// Scenario 24.
func TestAFullHotQueueIsWarnedOfOnceASecond(t *testing.T) {
	log := &logged{}
	bubble(t, relay.Config{Logger: slog.New(log), Lane: relay.LaneConfig{Workers: 1, HotQueue: 3}}, func(r *rig) {
		r.reg.Handle("A", func(context.Context, outbox.Event) error { <-r.gate; return nil })
	}, func(ctx context.Context, r *rig) {
		r.run()
		warnings := func() []logLine { return log.with(slog.LevelWarn, "hot queue is full") }
		for i := range 3 {
			r.write(ctx, event("A", i))
		}
		if ws := warnings(); len(ws) != 0 {
			t.Errorf("warned of a queue that has room: %+v", ws)
		}
		for i := 3; i < 30; i++ {
			r.write(ctx, event("A", i))
		}
		if ws := warnings(); len(ws) != 1 || ws[0].attrs["event_type"] != "A" {
			t.Errorf("27 writes at once gave the warnings %+v, expected one that names the type", ws)
		}
		pass(time.Second)
		r.write(ctx, event("A", 30))
		if ws := warnings(); len(ws) != 2 {
			t.Errorf("a second later there are %d warnings, expected 2", len(ws))
		}
		close(r.gate)
		pass(30 * time.Second)
		r.wantStats(ctx, 0, 0, 31, 0)
	})
}

func beforeThatPanics(ctx context.Context, e outbox.Event) (context.Context, error) {
	if e.Type == "A" {
		panic("before: oh no")
	}
	return ctx, nil
}

func listenerThatPanics(context.Context, outbox.Event) error { panic("listener: oh no") }

// Scenario 28.
func TestAPanicLeavesItsStackInTheLogAndTheRelayGoesOn(t *testing.T) {
	for name, c := range map[string]struct {
		before   []outbox.Interceptor
		listener outbox.Listener
	}{
		"listenerThatPanics": {nil, listenerThatPanics},
		"beforeThatPanics":   {[]outbox.Interceptor{{Before: beforeThatPanics}}, func(context.Context, outbox.Event) error { return nil }},
	} {
		t.Run(name, func(t *testing.T) {
			log := &logged{}
			cfg := relay.Config{Logger: slog.New(log), Interceptors: c.before, Lane: relay.LaneConfig{MaxAttempts: 3, Interval: time.Second}}
			bubble(t, cfg, func(r *rig) {
				r.reg.Handle("A", c.listener)
				r.reg.Handle("B", func(_ context.Context, e outbox.Event) error { r.seen.note(e); return nil })
			}, func(ctx context.Context, r *rig) {
				r.run()
				r.write(ctx, event("A", 1))
				pass(time.Minute)
				r.write(ctx, event("B", 1))
				pass(time.Second)
				r.wantStats(ctx, 0, 0, 1, 1)
				lines := log.with(slog.LevelError, "panic")
				if len(lines) != 1 { // the place of the panic is the same
					t.Fatalf("%d lines about 3 panics within a minute: %+v", len(lines), lines)
				}
				for _, line := range lines {
					if a := line.attrs; a["event_id"] != "A-00001" || a["event_type"] != "A" || !strings.Contains(a["panic"], "oh no") ||
						!strings.Contains(a["stack"], name) || !strings.Contains(a["stack"], "log_test.go:") {
						t.Errorf("the line %+v should name the event, the panic and where it happened", line)
					}
				}
			})
		})
	}
}

func TestWhatIsLoggedOfAFailureHasTheTraceIDOfTheEvent(t *testing.T) {
	const id = "4bf92f3577b34da6a3ce929d0e0e4736"
	for name, trace := range map[string]func(*outbox.Event){
		"in its column": func(e *outbox.Event) { e.TraceID = id },
		"in its headers": func(e *outbox.Event) {
			e.Headers = map[string]string{"traceparent": "00-" + id + "-00f067aa0ba902b7-01"}
		},
	} {
		t.Run(name, func(t *testing.T) {
			log := &logged{}
			cfg := relay.Config{Logger: slog.New(log), Lane: relay.LaneConfig{MaxAttempts: 2, Interval: time.Second}}
			bubble(t, cfg, func(r *rig) {
				r.reg.Handle("A", func(context.Context, outbox.Event) error { return errBoom })
			}, func(ctx context.Context, r *rig) {
				r.run()
				traced := event("A", 1)
				trace(&traced)
				r.write(ctx, traced)
				pass(time.Minute)
				for level, text := range map[slog.Level]string{slog.LevelWarn: "will be retried", slog.LevelError: "is dead"} {
					if lines := log.with(level, text); len(lines) != 1 || lines[0].attrs["trace_id"] != id {
						t.Errorf("%s: %+v", text, lines)
					}
				}
			})
		})
	}
}
