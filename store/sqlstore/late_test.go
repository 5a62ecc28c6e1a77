package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/store/internal/transport"
)

// oneRow is an answer with a row that cannot be scanned.
type oneRow struct{ err error }

func (oneRow) Next() bool          { return true }
func (r oneRow) Scan(...any) error { return r.err }
func (oneRow) Err() error          { return nil }
func (oneRow) Close() error        { return nil }

// The context may end between Next and Scan.
func TestAScanThatTheEndOfItsContextBreaksIsNoMistake(t *testing.T) {
	for cause, mistake := range map[error]bool{context.DeadlineExceeded: false, context.Canceled: false, errAnswer: true} {
		_, err := collect(oneRow{fmt.Errorf("sql: %w", cause)}, nil, scanValue[int64])
		if errors.As(err, new(transport.Ours)) != mistake || !errors.Is(err, cause) {
			t.Errorf("%v became %v, expected a mistake of this package: %t", cause, err, mistake)
		}
	}
}

func TestALostConnectionIsSlowOnlyIfTheTimeOfTheCallIsOver(t *testing.T) {
	const timeout = time.Second
	for name, tt := range map[string]struct {
		after time.Duration
		cause error
		slow  bool
	}{
		"just before its deadline":                  {timeout - 1, errLost, false},
		"at its deadline":                           {timeout, errLost, true},
		"after its deadline":                        {timeout + 1, errLost, true},
		"an answer, after its deadline":             {timeout + 1, errAnswer, false},
		"what the caller ended, after its deadline": {timeout + 1, context.Canceled, false},
		"a limit, before its deadline":              {timeout - 1, errLimit, true},
	} {
		t.Run(name, func(t *testing.T) {
			store := newFake(t, &server{})
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), timeout)
				defer cancel()
				<-time.After(tt.after)
				err := store.tooLong(ctx, tt.cause)
				if errors.Is(err, context.DeadlineExceeded) != tt.slow || !errors.Is(err, tt.cause) {
					t.Errorf("error %v, expected that it took too long: %t", err, tt.slow)
				}
			})
		})
	}
}

// A server that does not notice that its client is gone goes on waiting, for as long
// as its limits say.
func TestACallOfAKindThatWasLateSetsItsLimitsFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		late := true
		s := &server{}
		s.query = func(ctx context.Context, _ int, query string) error {
			if !late || query != "claim" {
				return nil
			}
			<-ctx.Done()
			return errLost
		}
		store := newLimited(t, s)
		expect := func(what string, call func() error, slow bool, want ...string) {
			t.Helper()
			s.sent = nil
			if err := call(); errors.Is(err, outbox.ErrStoreDown) != slow || !slow && err != nil {
				t.Errorf("%s: error %v, expected an outage: %t", what, err, slow)
			}
			if !slices.Equal(s.sent, want) {
				t.Errorf("%s: sent %q, expected %q", what, s.sent, want)
			}
		}
		claims := func() error { return claim(t.Context(), store) }
		withdraws := func() error { return store.Withdraw(t.Context(), "a") }
		expect("the first", claims, true, "claim")
		expect("one after a late one", claims, true, "wait_limit", "claim", "wait_restore")
		late = false
		expect("another kind", withdraws, false, "instance_withdraw")
		expect("one that is answered", claims, false, "wait_limit", "claim", "wait_restore")
		expect("one after an answer", claims, false, "claim")
	})
}
