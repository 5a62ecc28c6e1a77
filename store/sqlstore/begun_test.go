package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
)

// newBegun is a store whose transactions statements begin.
func newBegun(t *testing.T, s *server, timeout time.Duration) *Store {
	t.Helper()
	db := sql.OpenDB(s)
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	d := fakeDialect()
	d.Begin = []string{"SET", "START"}
	store, err := New(db, d, Config{StatementTimeout: timeout})
	if err != nil {
		t.Fatal(err)
	}
	return store
}

func TestATransactionThatStatementsBeganEndsWithItsCall(t *testing.T) {
	for name, tt := range map[string]struct {
		at     string // the statement that fails, once
		fault  error
		want   error
		sent   []string
		closed int // connections
	}{
		"none fails":                        {sent: []string{"SET", "START", "claim", "COMMIT"}},
		"a refused begin":                   {at: "START", fault: errAnswer, want: errAnswer, sent: []string{"SET", "START"}, closed: 1},
		"a begin on a connection that died": {at: "SET", fault: errLost, sent: []string{"SET", "SET", "START", "claim", "COMMIT"}, closed: 1},
		"a refused statement":               {at: "claim", fault: errAnswer, want: errAnswer, sent: []string{"SET", "START", "claim", "ROLLBACK"}},
		"a lost statement":                  {at: "claim", fault: errLost, want: outbox.ErrStoreDown, sent: []string{"SET", "START", "claim", "ROLLBACK"}, closed: 1},
		"a refused COMMIT":                  {at: "COMMIT", fault: errAnswer, want: errAnswer, sent: []string{"SET", "START", "claim", "COMMIT", "ROLLBACK"}},
		"a lost COMMIT":                     {at: "COMMIT", fault: errLost, want: outbox.ErrStoreDown, sent: []string{"SET", "START", "claim", "COMMIT", "ROLLBACK"}, closed: 1},
		"a conflict of the COMMIT": {at: "COMMIT", fault: errConflict, sent: []string{
			"SET", "START", "claim", "COMMIT", "ROLLBACK", "SET", "START", "claim", "COMMIT",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			failed := false
			s := &server{}
			s.query = func(_ context.Context, _ int, query string) error {
				if query != tt.at || failed {
					return nil
				}
				failed = true
				return tt.fault
			}
			if err := claim(t.Context(), newBegun(t, s, unhurried)); !errors.Is(err, tt.want) {
				t.Errorf("error %v, expected %v", err, tt.want)
			}
			if !slices.Equal(s.sent, tt.sent) || len(s.closed) != tt.closed {
				t.Errorf("sent %q and closed %d connections, expected %q and %d", s.sent, len(s.closed), tt.sent, tt.closed)
			}
		})
	}
}

// Closing the connection rolls back: there is no time to wait for an answer.
func TestACommitThatIsNotAnsweredEndsWithItsConnection(t *testing.T) {
	s := &server{query: func(ctx context.Context, _ int, query string) error {
		if query == "COMMIT" || query == "ROLLBACK" {
			<-ctx.Done()
			return ctx.Err()
		}
		return nil
	}}
	err := claim(t.Context(), newBegun(t, s, 20*time.Millisecond))
	if !errors.Is(err, outbox.ErrStoreDown) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, expected ErrStoreDown because of the deadline", err)
	}
	if s.opened != 1 || !slices.Equal(s.closed, []int{1}) {
		t.Errorf("%d connections opened and %v closed, expected one that is closed", s.opened, s.closed)
	}
}
