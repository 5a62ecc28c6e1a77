package relay_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/relay"
)

// graveyard collects deaths.
type graveyard struct {
	mu    sync.Mutex
	ids   []string
	calls int
	last  relay.Death
}

func (g *graveyard) take(batch []relay.Death) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.calls++
	for _, d := range batch {
		g.ids = append(g.ids, d.Event.ID)
		g.last = d
	}
}

func (g *graveyard) all() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Sorted(slices.Values(g.ids))
}

// dying makes a rig whose listener fails every event for good but the first.
func dying(died func(r *rig) func(context.Context, []relay.Death) error, body func(ctx context.Context, r *rig)) func(t *testing.T) {
	return func(t *testing.T) {
		t.Helper()
		var current *rig
		cfg := relay.Config{Died: func(ctx context.Context, batch []relay.Death) error { return died(current)(ctx, batch) }}
		bubble(t, cfg, func(r *rig) {
			current = r
			r.reg.Handle("A", func(_ context.Context, e outbox.Event) error {
				if e.ID == "A-00000" {
					return nil
				}
				return outbox.Permanent(errors.New("no such customer"))
			})
		}, body)
	}
}

func TestDiedGetsWhatIsADeadLetterAndItsErrorUndoesNothing(t *testing.T) {
	var g graveyard
	dying(func(r *rig) func(context.Context, []relay.Death) error {
		return func(ctx context.Context, batch []relay.Death) error {
			g.take(batch)
			if n := len(r.letters(ctx)); n < len(g.all()) {
				t.Errorf("told of %d deaths, but there are only %d letters", len(g.all()), n)
			}
			switch g.calls {
			case 1:
				return errors.New("the mail server is down")
			case 2:
				panic("at the disco")
			case 3:
				runtime.Goexit()
			}
			return nil
		}
	}, func(ctx context.Context, r *rig) {
		r.run()
		for i := range 5 {
			r.write(ctx, event("A", i))
			pass(time.Second)
		}
		if got := g.all(); !slices.Equal(got, []string{"A-00001", "A-00002", "A-00003", "A-00004"}) || g.calls != 4 {
			t.Errorf("%d calls with %v", g.calls, got)
		}
		if d := g.last; d.Attempts != 1 || d.Destination != "listener:A" || !strings.Contains(d.Error, "no such customer") || len(d.Failures) != 1 {
			t.Errorf("%+v", d)
		}
		r.wantStats(ctx, 0, 0, 1, 4)
	})(t)
}

func TestDiedIsToldOfTheLastDeathsBeforeRunReturns(t *testing.T) {
	var g graveyard
	dying(func(*rig) func(context.Context, []relay.Death) error {
		return func(_ context.Context, batch []relay.Death) error { g.take(batch); return nil }
	}, func(ctx context.Context, r *rig) {
		r.writeCold(ctx, event("A", 1), event("A", 2))
		if _, err := r.relay.RunOnce(ctx); err != nil {
			t.Fatal(err)
		}
		if got := g.all(); len(got) != 2 {
			t.Errorf("told of %v, want both", got)
		}
	})(t)
}

func TestDiedThatDoesNotReturnHoldsUpNothing(t *testing.T) {
	var release chan struct{}
	dying(func(*rig) func(context.Context, []relay.Death) error {
		return func(context.Context, []relay.Death) error { <-release; return nil }
	}, func(ctx context.Context, r *rig) {
		release = make(chan struct{}) // within the bubble
		r.run()
		r.write(ctx, event("A", 1))
		pass(time.Second)
		r.write(ctx, event("A", 0), event("A", 2))
		pass(time.Second)
		r.wantStats(ctx, 0, 0, 1, 2)
		start := time.Now()
		r.stop()
		if took := time.Since(start); took != 5*time.Second {
			t.Errorf("the shutdown took %s, want the drain timeout", took)
		}
		close(release)
	})(t)
}
