package relaytest_test

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/observe"
	"github.com/sendoff-go/outbox/relay"
)

// written is a log, and tells when it has a word.
type written struct {
	mu    sync.Mutex
	text  bytes.Buffer
	word  string
	found chan struct{}
	once  sync.Once
}

func (w *written) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if bytes.Contains(p, []byte(w.word)) {
		w.once.Do(func() { close(w.found) })
	}
	return w.text.Write(p)
}

func TestACrashOfTheDatabaseIsTwoLinesInTheLog(t *testing.T) {
	if testing.Short() {
		t.Skip("crashes a server: run without -short")
	}
	for name, with := range map[string]dburl.Options{"pgx": {}, "database-sql": {Driver: "sql"}} {
		t.Run(name, func(t *testing.T) {
			server := testenv.Control(t, testenv.Postgres15)
			h := openDatabase(t, testenv.Database(t, testenv.Postgres15), with)
			reg := outbox.NewRegistry()
			reg.Handle("A", func(context.Context, outbox.Event) error { return nil })
			log := &written{word: "the database is back", found: make(chan struct{})}
			many := make(chan struct{})
			var failures atomic.Int32
			cfg := relay.Config{Logger: slog.New(slog.NewTextHandler(log, nil)), Lane: relay.LaneConfig{Interval: 100 * time.Millisecond}}
			cfg.Hooks.LoopError = func(observe.LoopErrorInfo) {
				if failures.Add(1) == 15 {
					close(many)
				}
			}
			cfg.Wakers = wakers(t, h)
			r, err := relay.New(h.Store, reg, cfg)
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			done := make(chan error, 1)
			go func() { done <- r.Run(ctx) }()
			writeDB(t, h.Writer(r.HotPath()), numbered("A", 0, 10)...)
			server.Crash()
			for _, c := range []chan struct{}{many, log.found} {
				select {
				case <-c:
				case <-ctx.Done():
					t.Error("the outage was not noticed, or its end was not")
				}
				server.Start()
			}
			cancel()
			if err := <-done; err != nil {
				t.Error(err)
			}
			text := log.text.String()
			if strings.Count(text, "level=ERROR") != 1 || strings.Count(text, log.word) != 1 {
				t.Errorf("%d failures were logged as\n%s", failures.Load(), text)
			}
			t.Logf("%d failures:\n%s", failures.Load(), text)
		})
	}
}
