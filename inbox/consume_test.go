package inbox_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/inbox"
	"github.com/sendoff-go/outbox/store/memstore"
)

func TestTheHooksCountWhatHappened(t *testing.T) {
	r := newRig(t, inbox.Config{})
	r.consume(t, nil, "a", "b", "a")
	r.told.expect(t, map[string]int{"consumed": 2, "duplicated": 1})
	r.consume(t, nil, "a", "c")
	r.told.expect(t, map[string]int{"consumed": 1, "duplicated": 1})
	r.consume(t, errHandler, "a", "d", "e")
	r.told.expect(t, map[string]int{"failed": 2})
	r.consume(t, nil, "a", "b")
	r.told.expect(t, map[string]int{"duplicated": 2})
	r.consume(t, nil)
	r.told.expect(t, nil)
}

func TestAPanicIsAFailureAndGoesOn(t *testing.T) {
	r := newRig(t, inbox.Config{})
	func() {
		defer func() {
			if recover() != "no" {
				t.Error("the panic was swallowed")
			}
		}()
		_ = r.Consume(t.Context(), received("a")[0], func(context.Context, *memstore.Tx) error { panic("no") })
	}()
	r.told.expect(t, map[string]int{"failed": 1})
	r.consume(t, nil, "a")
	r.told.expect(t, map[string]int{"consumed": 1})
}

// faulty is a ledger with some of its methods replaced.
type faulty struct {
	driver.Ledger[*memstore.Tx]
	record func(n int) error // of the n-th call, from 1
	commit func(commit func() error) error
	calls  int
}

func (f *faulty) Record(ctx context.Context, tx *memstore.Tx, group string, ids []string) ([]bool, error) {
	f.calls++
	if f.record != nil {
		if err := f.record(f.calls); err != nil {
			return nil, err
		}
	}
	return f.Ledger.Record(ctx, tx, group, ids)
}

func (f *faulty) Begin(ctx context.Context) (*memstore.Tx, func() error, func() error, error) {
	tx, commit, rollback, err := f.Ledger.Begin(ctx)
	if f.commit == nil {
		return tx, commit, rollback, err
	}
	return tx, func() error { return f.commit(commit) }, rollback, err
}

func TestAConflictBeforeTheHandlerRanIsBegunAnew(t *testing.T) {
	store := memstore.New(memstore.Config{})
	ledger := &faulty{Ledger: store, record: func(n int) error {
		if n < 4 {
			return outbox.ErrConflict
		}
		return nil
	}}
	r := newRigOn(t, store, ledger, inbox.Config{})
	if ran := r.consume(t, nil, "a"); len(ran) != 1 || ledger.calls != 4 {
		t.Errorf("the handler got %v after %d calls", ran, ledger.calls)
	}
	r.told.expect(t, map[string]int{"consumed": 1})
}

func TestAConflictThatStaysIsReported(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := memstore.New(memstore.Config{})
		ledger := &faulty{Ledger: store, record: func(int) error { return outbox.ErrConflict }}
		r := newRigOn(t, store, ledger, inbox.Config{})
		if ran := r.consume(t, outbox.ErrConflict, "a", "b"); len(ran) > 0 || ledger.calls < 2 {
			t.Errorf("the handler got %v after %d calls", ran, ledger.calls)
		}
		r.told.expect(t, map[string]int{"failed": 2})
		ctx, cancel := context.WithCancel(t.Context())
		ledger.calls, ledger.record = 0, func(int) error { cancel(); return outbox.ErrConflict }
		if err := r.Consume(ctx, received("a")[0], nil); !errors.Is(err, outbox.ErrConflict) || ledger.calls != 1 {
			t.Errorf("error %v after %d calls, expected no repetition once the context has ended", err, ledger.calls)
		}
	})
}

func TestAHandlerThatMeetsAConflictIsNotRunTwice(t *testing.T) {
	r := newRig(t, inbox.Config{})
	if ran := r.consume(t, outbox.ErrConflict, "a"); len(ran) != 1 {
		t.Errorf("it ran %d times", len(ran))
	}
}

func TestAnUnknownCommitIsNeitherConsumedNorFailed(t *testing.T) {
	store := memstore.New(memstore.Config{})
	cache := newFakeCache()
	ledger := &faulty{Ledger: store, commit: func(commit func() error) error { return errors.Join(outbox.ErrCommitUnknown, commit()) }}
	r := newRigOn(t, store, ledger, inbox.Config{Cache: cache})
	runs := 0
	handle := func(context.Context, *memstore.Tx) error { runs++; return nil }
	if err := r.Consume(t.Context(), received("a")[0], handle); !errors.Is(err, outbox.ErrCommitUnknown) {
		t.Errorf("error %v, expected ErrCommitUnknown", err)
	}
	r.told.expect(t, map[string]int{"miss": 1})
	if keys := cache.keys(); len(keys) > 0 {
		t.Errorf("the cache knows %v", keys)
	}
	ledger.commit = nil
	if err := r.Consume(t.Context(), received("a")[0], handle); err != nil || runs != 1 {
		t.Errorf("error %v, %d effects: expected one", err, runs)
	}
	r.told.expect(t, map[string]int{"miss": 1, "duplicated": 1})
}

// The error may be of another transaction, which the handler made.
func TestAHandlerWhoseOwnCommitIsUnknownHasFailed(t *testing.T) {
	r := newRig(t, inbox.Config{})
	r.consume(t, outbox.ErrCommitUnknown, "a")
	r.told.expect(t, map[string]int{"failed": 1})
}

func TestAnInvalidConfigurationIsRefused(t *testing.T) {
	for says, c := range map[string]inbox.Config{
		"consumer group":    {},
		"at most 128":       {Group: strings.Repeat("g", 129)},
		"printable ASCII":   {Group: "a group"},
		"Retention is":      {Group: "g", Retention: -1},
		"DeadLetters":       {Group: "g", DeadLetters: -1},
		"CleanBatch":        {Group: "g", CleanBatch: -1},
		"CacheTimeout":      {Group: "g", CacheTimeout: -1},
		"shorter than Rete": {Group: "g", Retention: time.Hour, CacheTTL: time.Hour},
	} {
		if _, err := inbox.New(memstore.New(memstore.Config{}), c); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%+v: error %v, expected one that says %q", c, err, says)
		}
	}
}

func TestARetentionThatIsTooShortIsWarnedOf(t *testing.T) {
	for _, tt := range []struct {
		config inbox.Config
		warns  []string
	}{
		{inbox.Config{}, nil},
		{inbox.Config{DeadLetters: 24 * time.Hour, Redelivery: time.Hour}, nil},
		{inbox.Config{DeadLetters: 25 * time.Hour}, []string{"dead letters may wait"}},
		{inbox.Config{Redelivery: 7 * 24 * time.Hour}, []string{"the broker can redeliver"}},
		{inbox.Config{Retention: time.Hour, DeadLetters: 2 * time.Hour, Redelivery: 2 * time.Hour}, []string{"dead letters", "the broker"}},
		{inbox.Config{KeepForever: true, DeadLetters: 1000 * time.Hour}, nil},
	} {
		lines := newRig(t, tt.config).log.take()
		if len(lines) != len(tt.warns) {
			t.Errorf("%+v: logged %q, expected %d warnings", tt.config, lines, len(tt.warns))
			continue
		}
		for i, says := range tt.warns {
			if !strings.HasPrefix(lines[i], "WARN ") || !strings.Contains(lines[i], says) {
				t.Errorf("logged %q, expected a warning that says %q", lines[i], says)
			}
		}
	}
}
