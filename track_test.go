package outbox_test

import (
	"context"
	sqldriver "database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
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

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestTrackHandsOverWhatWasCommitted(t *testing.T) {
	s, h := newStore(), &hook{headStart: time.Minute}
	w := outbox.NewWriter(s, outbox.WithCommitHook(h))
	ctx, done := w.Track(t.Context())
	tx := begin(t, s)
	for _, id := range []string{"a", "b", "c"} {
		_, err := w.Write(ctx, tx, named(id))
		must(t, err)
	}
	if len(h.committed) > 0 {
		t.Error("handed over before the commit")
	}
	must(t, done(tx.Commit()))
	if got := ids(h.committed); !slices.Equal(got, []string{"a", "b", "c"}) {
		t.Errorf("handed over %q, expected a, b, c", got)
	}
	for _, c := range h.committed {
		if !c.Hot() || c.Confirm || c.HeadStart != time.Minute || time.Since(c.Since) > time.Minute || c.Since.IsZero() {
			t.Errorf("handed over as %+v", c)
		}
	}
}

func TestDoneCountsOnce(t *testing.T) {
	s, h := newStore(), &hook{}
	w := outbox.NewWriter(s, outbox.WithCommitHook(h))
	ctx, done := w.Track(t.Context())
	tx := begin(t, s)
	_, err := w.Write(ctx, tx, named("a"))
	must(t, err)
	must(t, done(tx.Commit()))
	if err := done(errCause); !errors.Is(err, errCause) {
		t.Errorf("error %v, expected what was passed", err)
	}
	if len(h.committed) != 1 || len(h.dropped) != 0 {
		t.Errorf("%d handed over, %d dropped, expected 1 and 0", len(h.committed), len(h.dropped))
	}
}

func TestAWriteAfterDoneIsNotTracked(t *testing.T) {
	s, h := newStore(), &hook{headStart: time.Minute}
	w := outbox.NewWriter(s, outbox.WithCommitHook(h))
	ctx, done := w.Track(t.Context())
	must(t, done(nil))
	tx := begin(t, s)
	_, err := w.Write(ctx, tx, named("late"))
	must(t, err)
	must(t, tx.Commit())
	if h.admitted != 0 || len(stored(t, s)) != 1 {
		t.Errorf("%d admitted: a write that nobody will report must be an ordinary row", h.admitted)
	}
}

func TestATrackerBindsToTheFirstTransaction(t *testing.T) {
	s, h := newStore(), &hook{headStart: time.Minute}
	w := outbox.NewWriter(s, outbox.WithCommitHook(h))
	ctx, done := w.Track(t.Context())
	first, second := begin(t, s), begin(t, s)
	_, err := w.Write(ctx, first, named("tracked"))
	must(t, err)
	_, err = w.Write(ctx, second, named("ordinary"))
	must(t, err)
	must(t, second.Commit())
	if es := stored(t, s); len(es) != 1 || es[0].ID != "ordinary" {
		t.Errorf("stored %+v: the other transaction's event is to be free at once", es)
	}
	must(t, done(first.Commit()))
	if got := ids(h.committed); !slices.Equal(got, []string{"tracked", "ordinary"}) {
		t.Errorf("handed over %q", got)
	}
	if h.committed[0].Seq == 0 || h.committed[1].Seq != 0 || h.committed[1].Hot() {
		t.Errorf("handed over %+v: the other transaction's event is a hint alone", h.committed)
	}
}

func TestABusinessErrorIsNotALostAnswer(t *testing.T) {
	for _, err := range []error{errors.New("out of stock"), outbox.ErrRolledBack} {
		if driver.ConnectionLost(err) {
			t.Errorf("%v counts as a lost connection", err)
		}
	}
	for _, err := range []error{io.ErrUnexpectedEOF, sqldriver.ErrBadConn, context.DeadlineExceeded, &net.OpError{Op: "read", Err: syscall.ECONNRESET}} {
		if !driver.ConnectionLost(fmt.Errorf("commit: %w", err)) {
			t.Errorf("%v does not count as a lost connection", err)
		}
	}
}

func TestARollbackHandsOverNothing(t *testing.T) {
	s, h := newStore(), &hook{headStart: time.Minute}
	w := outbox.NewWriter(s, outbox.WithCommitHook(h))
	ctx, done := w.Track(t.Context())
	tx := begin(t, s)
	_, err := w.Write(ctx, tx, named("a"))
	must(t, err)
	must(t, tx.Rollback())
	_ = done(errCause)
	if len(h.committed) != 0 || !slices.Equal(ids(h.dropped), []string{"a"}) {
		t.Errorf("handed over %q, dropped %q", ids(h.committed), ids(h.dropped))
	}
}

func TestAnIDWrittenAgainReplacesTheFirst(t *testing.T) {
	s, h := newStore(), &hook{headStart: time.Minute}
	w := outbox.NewWriter(s, outbox.WithCommitHook(h))
	ctx, done := w.Track(t.Context())
	tx := begin(t, s)
	first, second := named("x"), named("x")
	first.JSON, second.JSON = []byte(`"first"`), []byte(`"second"`)
	must(t, tx.Savepoint("s"))
	_, err := w.WriteAll(ctx, tx, []outbox.Event{first, named("y")}...)
	must(t, err)
	must(t, tx.RollbackTo("s"))
	_, err = w.Write(ctx, tx, second)
	must(t, err)
	must(t, done(tx.Commit()))
	if got := ids(h.committed); !slices.Equal(got, []string{"y", "x"}) {
		t.Fatalf("handed over %q", got)
	}
	x := h.committed[1]
	if string(x.Event.JSON) != `"second"` || !x.Confirm || !h.committed[0].Confirm {
		t.Errorf("handed over %+v, expected the second, to be confirmed", x)
	}
	if len(h.dropped) != 1 || string(h.dropped[0].Event.JSON) != `"first"` {
		t.Errorf("dropped %+v, expected the first", h.dropped)
	}
	there, err := s.Confirm(t.Context(), []driver.Held{{EventID: "x", Seq: x.Seq}, {EventID: "y", Seq: h.committed[0].Seq}})
	if err != nil || len(there) != 1 || there[0].EventID != "x" {
		t.Errorf("confirmed %v, error %v: y was rolled back", there, err)
	}
}

func TestRoomForWhatIsNotWrittenIsGivenBack(t *testing.T) {
	s, h := newStore(), &hook{headStart: time.Minute}
	w := outbox.NewWriter(s, outbox.WithCommitHook(h))
	if _, err := write(t, w, named("old")); err != nil {
		t.Fatal(err)
	}
	h.committed = nil
	must(t, w.InTx(t.Context(), func(ctx context.Context, tx *memstore.Tx) error {
		existing, err := w.WriteIfAbsent(ctx, tx, named("old"), named("new"))
		if !slices.Equal(existing, []string{"old"}) {
			t.Errorf("existing %q", existing)
		}
		return err
	}))
	if !slices.Equal(ids(h.committed), []string{"new"}) || !slices.Equal(ids(h.dropped), []string{"old"}) {
		t.Errorf("handed over %q, dropped %q: every admitted event must be one or the other", ids(h.committed), ids(h.dropped))
	}
	h.dropped = nil
	_ = w.InTx(t.Context(), func(ctx context.Context, tx *memstore.Tx) error {
		_, err := w.Write(ctx, tx, named("old"))
		if !errors.Is(err, outbox.ErrDuplicateID) {
			t.Errorf("error %v", err)
		}
		return err
	})
	if !slices.Equal(ids(h.dropped), []string{"old"}) {
		t.Errorf("dropped %q after a refused INSERT", ids(h.dropped))
	}
}

func TestTwoWritersInOneContextDoNotSeeEachOther(t *testing.T) {
	s1, s2 := newStore(), newStore()
	h1, h2 := &hook{headStart: time.Minute}, &hook{headStart: time.Minute}
	w1, w2 := outbox.NewWriter(s1, outbox.WithCommitHook(h1)), outbox.NewWriter(s2, outbox.WithCommitHook(h2))
	must(t, w1.InTx(t.Context(), func(ctx context.Context, tx1 *memstore.Tx) error {
		if _, err := w1.Write(ctx, tx1, named("one")); err != nil {
			return err
		}
		return w2.InTx(ctx, func(ctx context.Context, tx2 *memstore.Tx) error {
			_, err := w2.Write(ctx, tx2, named("two"))
			return err
		})
	}))
	if !slices.Equal(ids(h1.committed), []string{"one"}) || !slices.Equal(ids(h2.committed), []string{"two"}) {
		t.Errorf("handed over %q and %q", ids(h1.committed), ids(h2.committed))
	}
}

// lossy loses the answers to its commits.
type lossy struct{ *memstore.Store }

func (lossy) CommitError(err error) error { return fmt.Errorf("%w: %w", outbox.ErrCommitUnknown, err) }

func TestALostAnswerToCommitIsUnknown(t *testing.T) {
	s, h := newStore(), &hook{}
	w := outbox.NewWriter[*memstore.Tx](lossy{s}, outbox.WithCommitHook(h))
	ctx, done := w.Track(t.Context())
	tx := begin(t, s)
	_, err := w.Write(ctx, tx, named("a"))
	must(t, err)
	must(t, tx.Commit())
	if err := done(errCause); !errors.Is(err, outbox.ErrCommitUnknown) || !errors.Is(err, errCause) {
		t.Errorf("error %v, expected ErrCommitUnknown and the driver's own", err)
	}
	if len(h.committed) != 0 || len(h.dropped) != 1 || len(stored(t, s)) != 1 {
		t.Errorf("%d handed over, %d dropped: the poller delivers it", len(h.committed), len(h.dropped))
	}
}

func TestInTxRollsBackOnErrorAndPanic(t *testing.T) {
	s, h := newStore(), &hook{}
	w := outbox.NewWriter(s, outbox.WithCommitHook(h))
	err := w.InTx(t.Context(), func(ctx context.Context, tx *memstore.Tx) error {
		_, err := w.Write(ctx, tx, named("a"))
		return errors.Join(err, errCause)
	})
	if !errors.Is(err, errCause) {
		t.Errorf("error %v", err)
	}
	func() {
		defer func() {
			if p := recover(); p != "oops" {
				t.Errorf("recovered %v", p)
			}
		}()
		_ = w.InTx(t.Context(), func(ctx context.Context, tx *memstore.Tx) error {
			_, _ = w.Write(ctx, tx, named("b"))
			panic("oops")
		})
	}()
	if !slices.Equal(ids(h.dropped), []string{"a", "b"}) || len(h.committed) != 0 || len(stored(t, s)) != 0 {
		t.Errorf("handed over %q, dropped %q", ids(h.committed), ids(h.dropped))
	}
}

func TestInTxReportsThatItCouldNotBegin(t *testing.T) {
	s := newStore()
	s.Close()
	err := outbox.NewWriter(s).InTx(t.Context(), func(context.Context, *memstore.Tx) error {
		t.Error("ran without a transaction")
		return nil
	})
	if !errors.Is(err, outbox.ErrStoreDown) {
		t.Errorf("error %v, expected ErrStoreDown", err)
	}
}

func TestAStoreThatAnswersForTooFewIsCaught(t *testing.T) {
	h := &hook{headStart: time.Minute}
	w := outbox.NewWriter[*memstore.Tx](short{newStore()}, outbox.WithCommitHook(h))
	if _, err := write(t, w, named("a"), named("b")); err == nil {
		t.Error("no error")
	}
	if !slices.Equal(ids(h.dropped), []string{"a", "b"}) {
		t.Errorf("dropped %q", ids(h.dropped))
	}
}

// short answers for one event too few.
type short struct{ *memstore.Store }

func (s short) Insert(ctx context.Context, tx *memstore.Tx, req outbox.InsertRequest) ([]outbox.Inserted, error) {
	ins, err := s.Store.Insert(ctx, tx, req)
	return ins[:len(ins)-1], err
}
