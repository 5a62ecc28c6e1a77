package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox/cmd/internal/dburl"
)

// call runs the program in this process.
func call(ctx context.Context, args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = run(ctx, args, strings.NewReader(""), &out, &errs)
	return code, out.String(), errs.String()
}

func TestExitCodes(t *testing.T) {
	t.Setenv(databaseVariable, "")
	file := "sqlite://" + filepath.ToSlash(filepath.Join(t.TempDir(), "shop.db"))
	if code, _, text := call(t.Context(), "migrate", "up", "--database", file); code != exitOK {
		t.Fatal(text)
	}
	for _, c := range []struct {
		name string
		args []string
		want int
	}{
		{"help", []string{"help"}, exitOK},
		{"no such command", []string{"nosuch"}, exitUsage},
		{"no such flag", []string{"demo", "--nosuch"}, exitUsage},
		{"no such group member", []string{"migrate", "sideways"}, exitUsage},
		{"a bad value", []string{"demo", "--rate", "-1"}, exitUsage},
		{"no database", []string{"migrate", "up"}, exitUsage},
		{"a bad URL", []string{"migrate", "up", "--database", "x"}, exitUsage},
		{"a bad name", []string{"migrate", "up", "--database", file, "--table-event", "a b"}, exitUsage},
		{"a bad driver", []string{"migrate", "up", "--database", file, "--driver", "odbc"}, exitUsage},
		{"a database that is down", []string{"migrate", "up", "--database", "postgres://127.0.0.1:1/x"}, exitUnavailable},
		{"a missing file", []string{"migrate", "status", "--database", file + "2"}, exitUnavailable},
		{"two formats", []string{"audit", "--csv", "-o", "json", "--database", file}, exitUsage},
		{"no such destination", []string{"replay", "--destination", "nope", "--yes", "--database", file}, exitUsage},
		{"a part of no version", []string{"migrate", "sql", "--dialect", "mysql", "--fair", "--version", "1"}, exitUsage},
		{"a missing version", []string{"migrate", "status", "--check", "--database", file, "--table-version", "v", "--table-event", "e"}, exitSchema},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, _, text := call(t.Context(), c.args...)
			if code != c.want {
				t.Errorf("exit code %d, want %d: %s", code, c.want, text)
			}
			if lines := strings.Count(text, "\n"); c.want != exitOK && (lines != 1 || !strings.HasPrefix(text, "outbox: ")) {
				t.Errorf("standard error has %d lines: %q", lines, text)
			}
		})
	}
}

func TestAFileThatMayNotBeWrittenIsRefused(t *testing.T) {
	if os.Getuid() == 0 {
		t.Log("root may write everywhere: a read-only mode of the URL stands in")
	}
	file := filepath.ToSlash(filepath.Join(t.TempDir(), "shop.db"))
	if code, _, text := call(t.Context(), "migrate", "up", "--database", "sqlite://"+file); code != exitOK {
		t.Fatal(text)
	}
	code, _, text := call(t.Context(), "migrate", "down", "--database", "sqlite://"+file+"?mode=ro")
	if code != exitRefused || !strings.Contains(text, "grant this user permission") {
		t.Errorf("exit code %d, want %d: %s", code, exitRefused, text)
	}
}

func TestWaitingEventsAreNotDropped(t *testing.T) {
	file := "sqlite://" + filepath.ToSlash(filepath.Join(t.TempDir(), "shop.db"))
	if code, _, text := call(t.Context(), "migrate", "up", "--database", file); code != exitOK {
		t.Fatal(text)
	}
	db, err := (&databaseFlags{url: file}).open(t.Context(), dburl.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Exec(t.Context(), `INSERT INTO outbox_event (event_type, payload) VALUES ('OrderPlaced', '{}')`); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	code, _, text := call(t.Context(), "migrate", "down", "--steps", "100", "--database", file)
	if code != exitFailure || !strings.Contains(text, "1 event that nobody has received") || !strings.Contains(text, "--force") {
		t.Errorf("exit code %d: %s", code, text)
	}
	if code, out, text := call(t.Context(), "migrate", "down", "--steps", "100", "--force", "--database", file); code != exitOK || !strings.Contains(out, "reverted") {
		t.Errorf("exit code %d: %s", code, text)
	}
}
