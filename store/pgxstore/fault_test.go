package pgxstore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/internal/transport"
)

func said(severity, state string) error {
	return &pgconn.PgError{Severity: "localized", SeverityUnlocalized: severity, Code: state, Message: "m"}
}

func TestOnlyWhatTheServerAnsweredIsADefiniteCommitError(t *testing.T) {
	for _, tt := range []struct {
		name    string
		err     error
		unknown bool
	}{
		{"nothing", nil, false},
		{"a deferred constraint", said("ERROR", "23503"), false},
		{"a serialization failure", said("ERROR", "40001"), false},
		{"a wrapped answer", fmt.Errorf("commit: %w", said("ERROR", "23503")), false},
		{"a transaction that failed before", pgx.ErrTxCommitRollback, false},
		{"a transaction that has ended", pgx.ErrTxClosed, false},
		{"a lost connection", io.ErrUnexpectedEOF, true},
		{"a context that ended meanwhile", context.Canceled, true},
		{"a server that ends", said("FATAL", "57P01"), true},
		{"a pooler that lost its server", said("FATAL", "08P01"), true},
		{"a connection error", said("ERROR", "08006"), true},
		{"an outcome that the server does not know", said("ERROR", "40003"), true},
	} {
		got := (*Store)(nil).CommitError(tt.err)
		if !errors.Is(got, tt.err) || errors.Is(got, outbox.ErrCommitUnknown) != tt.unknown {
			t.Errorf("%s: %v, unknown expected: %t", tt.name, got, tt.unknown)
		}
	}
}

func TestErrorsSayWhatToDo(t *testing.T) {
	store := nowhere(t)
	for _, tt := range []struct {
		name   string
		err    error
		is     error // nil: none of the store's
		advice string
	}{
		{"a lost connection", io.ErrUnexpectedEOF, outbox.ErrStoreDown, ""},
		{"a deadline", context.DeadlineExceeded, outbox.ErrStoreDown, ""},
		{"a server that ends", said("FATAL", "57P01"), outbox.ErrStoreDown, ""},
		{"a pooler without a server", said("FATAL", "08P01"), outbox.ErrStoreDown, ""},
		{"a wrong password", said("FATAL", "28P01"), outbox.ErrStoreDown, "check user, password"},
		{"a database that is not there", said("FATAL", "3D000"), outbox.ErrStoreDown, "database name"},
		{"a cancelled statement", said("ERROR", "57014"), outbox.ErrStoreDown, ""},
		{"a full disk", said("ERROR", "53100"), outbox.ErrStoreDown, ""},
		{"a conflict", said("ERROR", "40P01"), outbox.ErrStoreDown, ""},
		{"a lock that does not end", said("ERROR", "55P03"), outbox.ErrStoreDown, ""},
		{"a replica", said("ERROR", "25006"), outbox.ErrStoreDown, ""},
		{"a missing table", said("ERROR", "42P01"), outbox.ErrSchema, "migrate up"},
		{"a missing column", said("ERROR", "42703"), outbox.ErrSchema, "migrate up"},
		{"a missing schema", said("ERROR", "3F000"), outbox.ErrSchema, "migrate up"},
		{"a pooler between", said("ERROR", "26000"), nil, "default_query_exec_mode=exec"},
		{"a pooler between", said("ERROR", "42P05"), nil, "default_query_exec_mode=exec"},
		{"a missing right", said("ERROR", "42501"), nil, ""},
		{"a row that cannot be read", transport.Ours{Err: errors.New("m")}, nil, ""},
	} {
		got := store.engine.Error(t.Context(), "claim", tt.err)
		for _, of := range []error{outbox.ErrStoreDown, outbox.ErrSchema} {
			if errors.Is(got, of) != (of == tt.is) { //nolint:errorlint // which of the two is asked
				t.Errorf("%s: %v, expected to be %v", tt.name, got, tt.is)
			}
		}
		if !errors.Is(got, tt.err) || !strings.Contains(got.Error(), "claim") || !strings.Contains(got.Error(), tt.advice) {
			t.Errorf("%s: %v, expected the call, the cause and %q", tt.name, got, tt.advice)
		}
	}
}

func TestOnlyWhatCannotHaveHappenedHasNotBegun(t *testing.T) {
	for _, tt := range []struct {
		name string
		conn conn
		err  error
		want bool
	}{
		{"a session ended before BEGIN", conn{}, said("FATAL", "57P01"), true},
		{"a session ended after BEGIN", conn{begun: true}, said("FATAL", "57P01"), false},
		{"a pooler that lost its server", conn{}, said("FATAL", "08P01"), false},
		{"a lost answer", conn{}, io.ErrUnexpectedEOF, false},
		{"a connection found closed while waiting", conn{}, fmt.Errorf("%w", pgconn.ErrConnClosed), false},
		{"a missing table", conn{}, said("ERROR", "42P01"), false},
	} {
		if got := errors.As(tt.conn.mark(tt.err), new(transport.NotBegun)); got != tt.want {
			t.Errorf("%s: has not begun: %t, expected %t", tt.name, got, tt.want)
		}
	}
}

func TestAnEndedContextIsNotTheDatabasesFault(t *testing.T) {
	store := nowhere(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, err := range []error{io.ErrUnexpectedEOF, context.Canceled, said("ERROR", "57014")} {
		got := store.engine.Error(ctx, "claim", err)
		if !errors.Is(got, context.Canceled) || !errors.Is(got, err) || errors.Is(got, outbox.ErrStoreDown) {
			t.Errorf("%v became %v", err, got)
		}
	}
}

// nowhere is a store on a pool that cannot connect.
func nowhere(t *testing.T) *Store {
	t.Helper()
	pool, err := pgxpool.New(t.Context(), "postgres://nobody@127.0.0.1:1/none")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	store := testenv.Must(New(pool, Config{}))
	t.Cleanup(store.Close)
	return store
}

func TestAPoolThatCannotConnectIsDown(t *testing.T) {
	if _, _, _, err := nowhere(t).Begin(t.Context()); !errors.Is(err, outbox.ErrStoreDown) {
		t.Errorf("error %v, expected ErrStoreDown", err)
	}
}

func TestAConflictOfTheBusinessIsNotAnOutage(t *testing.T) {
	store := nowhere(t)
	for _, state := range []string{"40001", "55P03"} {
		conflict := said("ERROR", state)
		if got := store.engine.InsertError(t.Context(), nil, conflict); !errors.Is(got, conflict) || errors.Is(got, outbox.ErrStoreDown) {
			t.Errorf("%v: the caller starts over, and has to see why", got)
		}
	}
}
