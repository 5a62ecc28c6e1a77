package sqlstore

import (
	"context"
	"database/sql"
	sqldriver "database/sql/driver"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sendoff-go/outbox/store/internal/transport"
)

// savepoints notes the statements of a transaction, and refuses what it is told to.
type savepoints struct {
	transport.Querier
	sent   []string
	refuse string // how a statement begins that fails
}

func (s *savepoints) Exec(_ context.Context, query string, _ ...any) (sql.Result, error) {
	s.sent = append(s.sent, query)
	if s.refuse != "" && strings.HasPrefix(query, s.refuse) {
		return nil, errAnswer
	}
	return sqldriver.RowsAffected(0), nil
}

func (s *savepoints) count(prefix string) (n int) {
	for _, query := range s.sent {
		if strings.HasPrefix(query, prefix) {
			n++
		}
	}
	return n
}

func TestRowsThatAreInTheWayAreLeftOutAndNoOthers(t *testing.T) {
	d := fakeDialect()
	for range 20 { // chance has a say
		tx := &savepoints{}
		s := &Session{Dialect: &d, Queries: &Queries{}, tx: tx}
		var done []int
		failed := 0
		err := s.apart(t.Context(), 10, func(from, to int) error {
			for _, locked := range []int{3, 7} {
				if from <= locked && locked < to {
					failed++
					return errLocked
				}
			}
			for n := from; n < to; n++ {
				done = append(done, n)
			}
			return nil
		})
		slices.Sort(done)
		if want := []int{0, 1, 2, 4, 5, 6, 8, 9}; err != nil || !slices.Equal(done, want) {
			t.Fatalf("done %v, error %v, expected %v", done, err, want)
		}
		if n := tx.count("ROLLBACK TO"); n != failed {
			t.Fatalf("%d trials failed, %d were undone", failed, n)
		}
	}
}

// A deadlock ends the whole transaction, and some servers end it for a lock.
func TestATrialThatCannotBeUndoneIsTheLast(t *testing.T) {
	d := fakeDialect()
	s := &Session{Dialect: &d, Queries: &Queries{}, tx: &savepoints{refuse: "ROLLBACK TO"}}
	trials := 0
	err := s.apart(t.Context(), 10, func(int, int) error { trials++; return errLocked })
	if d.Fault(err) != FaultLocked || trials != 1 {
		t.Errorf("error %v after %d trials, expected that of the first", err, trials)
	}
}

func TestTrialsThatWaitLeaveTimeForTheRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := fakeDialect()
		for timeout, most := range map[time.Duration]time.Duration{
			30 * time.Second: trialTime + LockWait,
			6 * time.Second:  2*time.Second + LockWait,
		} {
			ctx, cancel := context.WithTimeout(t.Context(), timeout)
			start := time.Now()
			s := &Session{Dialect: &d, Queries: &Queries{}, tx: &savepoints{}}
			err := s.apart(ctx, 1000, func(int, int) error { <-time.After(LockWait); return errLocked })
			if took := time.Since(start); err != nil || took > most {
				t.Errorf("of %s it took %s, error %v, expected at most %s", timeout, took, err, most)
			}
			cancel()
		}
	})
}

func TestACallWithLittleTimeLeftTriesNothing(t *testing.T) {
	d := fakeDialect()
	ctx, cancel := context.WithTimeout(t.Context(), leastTime-time.Millisecond)
	defer cancel()
	s := &Session{Dialect: &d, Queries: &Queries{}, tx: &savepoints{}}
	if err := s.apart(ctx, 10, func(int, int) error { t.Error("tried"); return errLocked }); err != nil {
		t.Errorf("error %v", err)
	}
}

// What keeps a sweep from moving rows must not keep it from deleting.
func TestASweepThatCannotMoveAnythingDeletes(t *testing.T) {
	s := &server{query: func(_ context.Context, _ int, query string) error {
		if query == "sweep_foreign_dead" {
			return errLocked
		}
		return nil
	}}
	if _, err := newFake(t, s).Sweep(t.Context(), time.Hour, 10); err != nil {
		t.Errorf("error %v", err)
	}
	if !slices.Contains(s.sent, "sweep") || slices.Index(s.sent, "sweep") > slices.Index(s.sent, "sweep_foreign_dead") {
		t.Errorf("sent %q, expected it to delete first", s.sent)
	}
}
