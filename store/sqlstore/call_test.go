package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sendoff-go/outbox"
)

func TestAConflictIsRepeatedUntilItPasses(t *testing.T) {
	n := 0
	s := &server{query: func(context.Context, int, string) error {
		if n++; n < 4 {
			return fmt.Errorf("statement: %w", errConflict)
		}
		return nil
	}}
	if err := claim(t.Context(), newFake(t, s)); err != nil {
		t.Fatal(err)
	}
	if n != 4 || s.opened != 1 || len(s.closed) != 0 {
		t.Errorf("%d statements on %d connections, %d of them closed; expected 4 on one, still open", n, s.opened, len(s.closed))
	}
}

func TestAConflictOfTheCommitIsRepeated(t *testing.T) {
	n := 0
	s := &server{commit: func(int) error {
		if n++; n == 1 {
			return errConflict
		}
		return nil
	}}
	if err := claim(t.Context(), newFake(t, s)); err != nil || n != 2 {
		t.Errorf("error %v after %d commits, expected none after 2", err, n)
	}
}

func TestAConflictThatStaysIsReportedAsDown(t *testing.T) {
	n := 0
	s := &server{query: func(context.Context, int, string) error { n++; return errConflict }}
	err := claim(t.Context(), newFake(t, s))
	if !errors.Is(err, outbox.ErrStoreDown) || !errors.Is(err, errConflict) || n != attempts {
		t.Errorf("error %v after %d attempts, expected ErrStoreDown after %d", err, n, attempts)
	}
}

func TestAConnectionThatTurnedReadOnlyIsReplaced(t *testing.T) {
	s := &server{query: func(_ context.Context, conn int, _ string) error {
		if conn == 1 {
			return errReadOnly
		}
		return nil
	}}
	if err := claim(t.Context(), newFake(t, s)); err != nil {
		t.Fatal(err)
	}
	if s.opened != 2 || !slices.Equal(s.closed, []int{1}) {
		t.Errorf("%d connections opened and %v closed, expected the first to be replaced", s.opened, s.closed)
	}
}

func TestAConnectionThatDiedUnnoticedIsReplaced(t *testing.T) {
	s := &server{begin: func(conn int) error {
		if conn == 1 {
			return errLost
		}
		return nil
	}}
	if err := claim(t.Context(), newFake(t, s)); err != nil {
		t.Fatal(err)
	}
	if s.opened != 2 || !slices.Equal(s.closed, []int{1}) {
		t.Errorf("%d connections opened and %v closed, expected the first to be replaced", s.opened, s.closed)
	}
}

func TestAStatementWhoseAnswerIsLostIsNotRepeated(t *testing.T) {
	for name, s := range map[string]*server{
		"the statement's": {query: func(context.Context, int, string) error { return errLost }},
		"the commit's":    {commit: func(int) error { return errLost }},
	} {
		t.Run(name, func(t *testing.T) {
			err := claim(t.Context(), newFake(t, s))
			if !errors.Is(err, outbox.ErrStoreDown) || !errors.Is(err, errLost) {
				t.Errorf("error %v, expected ErrStoreDown with its cause", err)
			}
			if len(s.sent) != 1 || !slices.Equal(s.closed, []int{1}) {
				t.Errorf("sent %v, closed %v: expected one statement, and its connection thrown away", s.sent, s.closed)
			}
		})
	}
}

func TestErrorsSayWhatToDo(t *testing.T) {
	for _, tt := range []struct {
		cause, want error
	}{
		{errMissing, outbox.ErrSchema},
		{errLost, outbox.ErrStoreDown},
		{errAnswer, errAnswer},
	} {
		s := &server{query: func(context.Context, int, string) error { return tt.cause }}
		err := claim(t.Context(), newFake(t, s))
		if !errors.Is(err, tt.want) || !errors.Is(err, tt.cause) {
			t.Errorf("%v became %v, expected it to be %v too", tt.cause, err, tt.want)
		}
		if errors.Is(tt.want, errAnswer) && (errors.Is(err, outbox.ErrSchema) || errors.Is(err, outbox.ErrStoreDown)) {
			t.Errorf("%v became %v", tt.cause, err)
		}
	}
}

func TestAStatementHasADeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{query: func(ctx context.Context, _ int, _ string) error { <-ctx.Done(); return ctx.Err() }}
		store := newTimed(t, s, 0)
		start := time.Now()
		err := claim(t.Context(), store)
		if !errors.Is(err, outbox.ErrStoreDown) || time.Since(start) != 5*time.Second {
			t.Errorf("error %v after %s, expected ErrStoreDown after 5 s", err, time.Since(start))
		}
		start = time.Now()
		_, err = store.Sweep(t.Context(), 0, 1)
		if !errors.Is(err, outbox.ErrStoreDown) || time.Since(start) != 30*time.Second {
			t.Errorf("sweep: error %v after %s, expected ErrStoreDown after 30 s", err, time.Since(start))
		}
	})
}

func TestTheCallersOwnContextIsNotTheDatabasesFault(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := &server{query: func(ctx context.Context, _ int, _ string) error { cancel(); <-ctx.Done(); return ctx.Err() }}
	err := claim(ctx, newFake(t, s))
	if !errors.Is(err, context.Canceled) || errors.Is(err, outbox.ErrStoreDown) {
		t.Errorf("error %v, expected context.Canceled and not ErrStoreDown", err)
	}
}

func TestOnlyTheDatabasesOwnAnswerToACommitIsDefinite(t *testing.T) {
	for _, tt := range []struct {
		cause   error
		unknown bool
	}{
		{errAnswer, false}, {errConflict, false}, {errDuplicate, false}, {sql.ErrTxDone, false},
		{errLost, true}, {context.Canceled, true}, {context.DeadlineExceeded, true}, {fmt.Errorf("write: %w", errLost), true},
	} {
		s := &server{commit: func(int) error { return tt.cause }}
		store := newFake(t, s)
		_, commit, _, err := store.Begin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		err = commit()
		if errors.Is(err, outbox.ErrCommitUnknown) != tt.unknown || !errors.Is(err, tt.cause) {
			t.Errorf("a commit that failed with %q returned %q, unknown expected: %t", tt.cause, err, tt.unknown)
		}
		if again := store.CommitError(err); again.Error() != err.Error() {
			t.Errorf("classified twice: %q became %q", err, again)
		}
	}
}

func TestRollingBackTwiceIsFine(t *testing.T) {
	_, _, rollback, err := newFake(t, &server{}).Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := rollback(); err != nil {
			t.Error(err)
		}
	}
}
