package languages

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/sendoff-go/outbox/internal/testenv"
)

// Two orders are placed, one of which is rolled back after its event was
// written: that event must not exist.
func TestAnEventOfAnotherLanguageIsDeliveredIfCommitted(t *testing.T) {
	for _, language := range []struct {
		name  string
		tools []string // what a developer's machine needs
	}{
		{"python", []string{"python3"}},
		{"node", []string{"node", "npm"}},
		{"java", []string{"javac", "mvn"}},
	} {
		t.Run(language.name, func(t *testing.T) {
			database := testenv.Database(t, testenv.Postgres15)
			obtain(t, language.name, language.tools)
			printed, err := sample(t, database, language.name)
			if err != nil {
				t.Fatalf("%v\n%s", err, printed)
			}
			checkPrinted(t, printed)
			checkRows(t, database, language.name)
		})
	}
}

// obtain makes sure that runtime and driver are there. It installs no runtime
// unless the test is required to run.
func obtain(t *testing.T, language string, tools []string) {
	t.Helper()
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil && !testenv.Require() {
			t.Skipf("%s is not installed; scripts/sample %s get installs it", tool, language)
		}
	}
	if printed, err := sample(t, "", language, "get"); err != nil {
		if testenv.Require() {
			t.Fatalf("cannot fetch the driver: %v\n%s", err, printed)
		}
		t.Skipf("cannot fetch the driver: %v\n%s", err, printed)
	}
}

// sample runs scripts/sample and returns what it printed.
func sample(t *testing.T, database string, arguments ...string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	var printed bytes.Buffer
	cmd := exec.CommandContext(ctx, "../../../scripts/sample", arguments...)
	cmd.Env = append(os.Environ(), "DATABASE_URL="+database)
	cmd.Stdout, cmd.Stderr = &printed, &printed
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) } // so that it ends the daemon
	cmd.WaitDelay = time.Minute
	err := cmd.Run()
	return printed.String(), err
}

func checkPrinted(t *testing.T, printed string) {
	t.Helper()
	for _, want := range []string{
		"order 4712: card declined, so neither the order nor its event exists\n",
		"order 4711: placed\n",
	} {
		if !strings.Contains(printed, want) {
			t.Errorf("it did not print %q:\n%s", want, printed)
		}
	}
	if strings.Count(printed, `msg="outbox: event"`) != 1 || !strings.Contains(printed, "event_type=OrderPlaced destination=orders key=4711 ") {
		t.Errorf("want one event in the daemon's log, of order 4711:\n%s", printed)
	}
}

func checkRows(t *testing.T, database, language string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), database)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := conn.Close(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	}()
	for query, want := range map[string][]string{
		`SELECT id || ' ' || total FROM orders`: {"4711 12"},
		`SELECT event_type || ' ' || aggregate_type || ' ' || aggregate_id || ' ' || (payload->>'total') || ' ' || (headers->>'source') || ' ' || status
			FROM outbox_event`: {"OrderPlaced Order 4711 12 " + language + " 1"},
		`SELECT last_error FROM outbox_dlq_event`: {},
	} {
		rows, err := conn.Query(t.Context(), query)
		if err != nil {
			t.Fatal(err)
		}
		got, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
}
