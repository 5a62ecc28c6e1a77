package main

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/internal/testenv"
)

// The scripts run every command on SQLite. This is their short form for the
// servers.
func TestCommandsOnServers(t *testing.T) {
	for _, c := range []struct{ server, driver string }{
		{testenv.Postgres15, "pgx"}, {testenv.Postgres15, "sql"}, {testenv.MySQL80, "sql"}, {testenv.MariaDB, "sql"},
	} {
		t.Run(c.server+" "+c.driver, func(t *testing.T) {
			t.Setenv(databaseVariable, testenv.Database(t, c.server))
			ok := func(want string, args ...string) string {
				t.Helper()
				code, out, errs := call(t.Context(), append(args, "--driver", c.driver)...)
				if code != exitOK || !strings.Contains(out, want) {
					t.Fatalf("%v: exit code %d\n%s\n%s", args, code, out, errs)
				}
				return out
			}
			ok("not applied", "migrate", "status")
			ok("applied version 1", "migrate", "up")
			ok("the tables are at version", "migrate", "up")
			ok("applied 20", "migrate", "status", "--check")
			sound(t, ok(`"written"`, "demo", "--for", "50ms", "-o", "json"))
			sound(t, ok(`"events":20,`, "bench", "drain", "--events", "20", "-o", "json"))
			ok("reverted version 1", "migrate", "down", "--steps", "100")
			ok("not applied", "migrate", "status")
		})
	}
}

func sound(t *testing.T, line string) {
	t.Helper()
	var result map[string]any
	if err := json.Unmarshal([]byte(line), &result); err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	for _, key := range []string{"lost", "duplicates", "waiting"} {
		if result[key] != float64(0) {
			t.Errorf("%s is %v in %s", key, result[key], line)
		}
	}
}

func TestWokenLatencyOnPostgres(t *testing.T) {
	t.Setenv(databaseVariable, testenv.Database(t, testenv.Postgres15))
	code, out, errs := call(t.Context(), "bench", "latency", "--path", "woken", "--events", "20", "-o", "json")
	if code != exitOK {
		t.Fatalf("exit code %d: %s", code, errs)
	}
	sound(t, out)
}

func TestTheCheckOfASchemaAdvisesWithItsName(t *testing.T) {
	url := testenv.Database(t, testenv.Postgres15)
	t.Setenv(databaseVariable, url)
	code, _, errs := call(t.Context(), "migrate", "status", "--schema", "app")
	if code != exitSchema || !strings.Contains(errs, "there is no schema app") || !strings.Contains(errs, "CREATE SCHEMA") {
		t.Errorf("exit code %d: %s", code, errs)
	}
	db, err := (&databaseFlags{url: url}).open(t.Context(), dburl.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(db.Exec(t.Context(), "CREATE SCHEMA app"), db.Close()); err != nil {
		t.Fatal(err)
	}
	code, _, errs = call(t.Context(), "migrate", "status", "--check", "--schema", "app")
	if code != exitSchema || !strings.Contains(errs, "outbox migrate up --schema app") {
		t.Errorf("exit code %d: %s", code, errs)
	}
}

func TestOperatorsWorkOnEveryDatabase(t *testing.T) {
	for _, server := range []string{testenv.Postgres15, testenv.MySQL80, testenv.MariaDB} {
		t.Run(server, func(t *testing.T) {
			t.Setenv(databaseVariable, testenv.Database(t, server))
			for _, c := range []struct {
				code int
				want string
				args []string
			}{
				{exitSchema, "", []string{"status"}},
				{exitOK, "", []string{"migrate", "up"}},
				{exitOK, "waiting 0", []string{"status"}},
				{2, "no relay is running", []string{"check"}},
				{exitOK, "No dead letters", []string{"dlq", "list", "--type", "A", "--error", "x", "--after", "1h", "--before", "1s"}},
				{exitFailure, "no dead letter has this id", []string{"dlq", "retry", "x"}},
				{exitFailure, "no dead letter has this id", []string{"dlq", "resolve", "x"}},
				{exitFailure, "no dead letter has this id", []string{"dlq", "delete", "x", "--yes"}},
				{exitOK, "paused: A", []string{"pause", "A", "--by", "a\xffb", "--note", "語"}},
				{exitOK, "nothing is paused", []string{"resume", "A"}},
				{exitOK, "a\ufffdb  ", []string{"audit"}},
			} {
				if code, out, errs := call(t.Context(), c.args...); code != c.code || !strings.Contains(out, c.want) {
					t.Errorf("%v: exit code %d\n%s\n%s", c.args, code, out, errs)
				}
			}
		})
	}
}
