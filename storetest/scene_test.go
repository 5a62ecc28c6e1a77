package storetest

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sendoff-go/outbox/internal/complaints"
	"github.com/sendoff-go/outbox/store/memstore"
)

// stubborn has a sweep that does not look at its context.
type stubborn struct {
	*memstore.Store
	answer chan struct{}
}

func (s stubborn) Sweep(context.Context, time.Duration, int) (int, error) {
	<-s.answer
	return 0, errors.New("late")
}

// ended is a test that counts what is reported after its end, which would end the
// whole program.
type ended struct {
	testing.TB
	over atomic.Bool
	late atomic.Int32
}

func (e *ended) Error(args ...any) {
	e.count()
	e.TB.Error(args...)
}

func (e *ended) Errorf(format string, args ...any) {
	e.count()
	e.TB.Errorf(format, args...)
}

func (e *ended) count() {
	if e.over.Load() {
		e.late.Add(1)
	}
}

func TestACallThatReturnsAfterItsLawHasEndedIsNotReported(t *testing.T) {
	for _, name := range []string{
		"a call ends in time though another session has locked the table",
		"without a deadline, too, a call ends though another session has locked the table",
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := stubborn{memstore.New(memstore.Config{}), make(chan struct{})}
				subject := Subject[*memstore.Tx]{
					Store:     s,
					Hasty:     func(testing.TB) Store[*memstore.Tx] { return s },
					LockTable: func(testing.TB) func() { return func() {} },
				}
				var e ended
				found := complaints.Of(t, func(t testing.TB) {
					e.TB = t
					for _, law := range Laws[*memstore.Tx]() {
						if law.Name == name {
							law.Check(&e, subject)
						}
					}
				})
				e.over.Store(true)
				if all := strings.Join(found, "; "); !strings.Contains(all, "a call has not returned") {
					t.Errorf("complaints %q, expected one of the call that does not return", all)
				}
				close(s.answer)
				synctest.Wait()
				if n := e.late.Load(); n > 0 {
					t.Errorf("%d complaints came after the end of the test", n)
				}
			})
		})
	}
}
