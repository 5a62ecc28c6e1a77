package inbox_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/inbox"
	"github.com/sendoff-go/outbox/store/memstore"
)

func begin(t *testing.T, s *memstore.Store) *memstore.Tx {
	t.Helper()
	tx, err := s.BeginTx(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return tx
}

func TestTrackFillsTheCacheAfterTheCallersCommit(t *testing.T) {
	cache := newFakeCache()
	r := newRig(t, inbox.Config{Cache: cache})
	ctx, done := r.Track(t.Context())
	tx := begin(t, r.store)
	if fresh, err := r.ConsumeBatchIn(ctx, tx, received("a", "b")); err != nil || len(fresh) != 2 {
		t.Fatalf("new are %v, error %v", fresh, err)
	}
	r.told.expect(t, map[string]int{"miss": 2})
	if len(cache.keys()) > 0 {
		t.Error("filled before the commit")
	}
	if err := done(tx.Commit()); err != nil {
		t.Fatal(err)
	}
	if keys := cache.keys(); !slices.Equal(keys, []string{"billing/a", "billing/b"}) {
		t.Errorf("the cache knows %v", keys)
	}
	_ = done(outbox.ErrRolledBack) // the first call counts
	r.told.expect(t, map[string]int{"consumed": 2})
}

func TestTrackFillsNothingAfterARollbackOrALostAnswer(t *testing.T) {
	for _, end := range []error{outbox.ErrRolledBack, outbox.ErrCommitUnknown} {
		cache := newFakeCache()
		r := newRig(t, inbox.Config{Cache: cache})
		ctx, done := r.Track(t.Context())
		tx := begin(t, r.store)
		if _, err := r.ConsumeIn(ctx, tx, received("a")[0]); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(tx.Rollback(), done(end)); !errors.Is(err, end) {
			t.Errorf("error %v, expected %v", err, end)
		}
		if keys := cache.keys(); len(keys) > 0 {
			t.Errorf("%v: the cache knows %v", end, keys)
		}
		want := map[string]int{"miss": 1, "failed": 1}
		if end == outbox.ErrCommitUnknown { //nolint:errorlint // it is one of the two above
			want = map[string]int{"miss": 1}
		}
		r.told.expect(t, want)
	}
}

func TestTrackDoesNotCacheWhatASavepointTookBack(t *testing.T) {
	cache := newFakeCache()
	r := newRig(t, inbox.Config{Cache: cache})
	ctx, done := r.Track(t.Context())
	tx := begin(t, r.store)
	consume := func(id string) {
		t.Helper()
		if fresh, err := r.ConsumeIn(ctx, tx, received(id)[0]); err != nil || !fresh {
			t.Fatalf("%s: new %t, error %v", id, fresh, err)
		}
	}
	consume("kept")
	if err := tx.Savepoint("s"); err != nil {
		t.Fatal(err)
	}
	consume("undone")
	if err := errors.Join(tx.RollbackTo("s"), done(tx.Commit())); err != nil {
		t.Fatal(err)
	}
	if keys := cache.keys(); !slices.Equal(keys, []string{"billing/kept"}) {
		t.Errorf("the cache knows %v", keys)
	}
	if ran := r.consume(t, nil, "kept", "undone"); !slices.Equal(ran, []string{"undone"}) {
		t.Errorf("the handler got %v", ran)
	}
}

func TestTrackWatchesOneTransaction(t *testing.T) {
	cache := newFakeCache()
	r := newRig(t, inbox.Config{Cache: cache})
	ctx, done := r.Track(t.Context())
	tx, other := begin(t, r.store), begin(t, r.store)
	for _, tt := range []struct {
		tx *memstore.Tx
		id string
	}{{tx, "watched"}, {other, "beside"}} {
		if _, err := r.ConsumeIn(ctx, tt.tx, received(tt.id)[0]); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(other.Commit(), done(tx.Commit())); err != nil {
		t.Fatal(err)
	}
	if keys := cache.keys(); !slices.Equal(keys, []string{"billing/watched"}) {
		t.Errorf("the cache knows %v", keys)
	}
}

func TestWithoutTrackNothingIsCached(t *testing.T) {
	cache := newFakeCache()
	r := newRig(t, inbox.Config{Cache: cache})
	tx := begin(t, r.store)
	if _, err := r.ConsumeIn(t.Context(), tx, received("a")[0]); err != nil {
		t.Fatal(err)
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	if keys := cache.keys(); len(keys) > 0 {
		t.Errorf("the cache knows %v", keys)
	}
	r.told.expect(t, map[string]int{"miss": 1, "consumed": 1})
}
