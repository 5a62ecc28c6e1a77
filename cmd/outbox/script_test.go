package main

import (
	"database/sql"
	"encoding/json"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/sendoff-go/outbox/internal/testenv"
)

func TestMain(m *testing.M) {
	completeWithin = patience // what it completes is tested here, in the scripts too
	testscript.Main(m, map[string]func(){"outbox": main})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireUniqueNames:  true,
		RequireExplicitExec: true,
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"address": unusedAddress,
			"json":    compareJSON,
			"line":    oneLine,
			"ready":   untilReady,
			"sql":     execSQL,
			"tables":  listTables,
			"until":   untilPrinted,
		},
	})
}

// compareJSON is "json key op number": compares a number of the object in the
// last line of standard output.
func compareJSON(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: json key op number")
	}
	lines := strings.Split(strings.TrimSpace(ts.ReadFile("stdout")), "\n")
	var object map[string]any
	ts.Check(json.Unmarshal([]byte(lines[len(lines)-1]), &object))
	got, ok := object[args[0]].(float64)
	if !ok {
		ts.Fatalf("there is no number %s in %v", args[0], object)
	}
	want, err := strconv.ParseFloat(args[2], 64)
	ts.Check(err)
	holds := map[string]bool{"==": got == want, ">": got > want, ">=": got >= want, "<": got < want, "<=": got <= want}
	result, known := holds[args[1]]
	if !known {
		ts.Fatalf("unknown operator %s", args[1])
	}
	if result == neg {
		ts.Fatalf("%s is %v", args[0], got)
	}
}

// oneLine is "line stdout|stderr": the stream has exactly one line.
func oneLine(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: line stdout|stderr")
	}
	if text := ts.ReadFile(args[0]); strings.Count(text, "\n") != 1 {
		ts.Fatalf("%s has not one line: %q", args[0], text)
	}
}

// execSQL is "sql file statement".
func execSQL(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: sql file statement")
	}
	db, err := sql.Open("sqlite", "file:"+ts.MkAbs(args[0]))
	ts.Check(err)
	defer func() { ts.Check(db.Close()) }()
	_, err = db.Exec(args[1])
	ts.Check(err)
}

// listTables is "tables file name...": the database has these tables, and with
// ! none whose name contains one of them.
func listTables(ts *testscript.TestScript, neg bool, args []string) {
	file := ts.MkAbs(args[0])
	if _, err := os.Stat(file); err != nil {
		ts.Fatalf("%v", err)
	}
	db, err := sql.Open("sqlite", "file:"+file)
	ts.Check(err)
	defer func() { ts.Check(db.Close()) }()
	rows, err := db.Query("SELECT name FROM sqlite_master WHERE type = 'table'")
	ts.Check(err)
	defer func() { ts.Check(rows.Close()) }()
	var names []string
	for rows.Next() {
		var name string
		ts.Check(rows.Scan(&name))
		names = append(names, name)
	}
	ts.Check(rows.Err())
	for _, want := range args[1:] {
		has := slices.ContainsFunc(names, func(n string) bool { return n == want || (neg && strings.Contains(n, want)) })
		if has == neg {
			ts.Fatalf("the tables are %v", names)
		}
	}
}

// unusedAddress is "address VARIABLE": sets it to one that nobody listens at.
func unusedAddress(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: address VARIABLE")
	}
	address, release, err := testenv.Reserve()
	ts.Check(err)
	ts.Defer(release)
	ts.Setenv(args[0], address)
}

// untilPrinted is "until pattern program...": executes it, again and again, until it
// prints a line that matches. The output of the last time is standard output.
func untilPrinted(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: until pattern program...")
	}
	line := regexp.MustCompile("(?m)" + args[0])
	for end := time.Now().Add(patience); ; {
		ts.Check(ts.Exec(args[1], args[2:]...))
		if line.MatchString(ts.ReadFile("stdout")) {
			return
		}
		if time.Now().After(end) {
			ts.Fatalf("it does not print %s", args[0])
		}
	}
}

// untilReady is "ready": waits for the daemon at $ADDR.
func untilReady(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 0 {
		ts.Fatalf("usage: ready")
	}
	ticks := time.NewTicker(10 * time.Millisecond)
	defer ticks.Stop()
	end := time.After(patience)
	for {
		if resp, err := http.Get("http://" + ts.Getenv("ADDR") + "/readyz"); err == nil {
			_ = resp.Body.Close() // the status is all
			if resp.StatusCode == http.StatusOK {
				return
			}
		}
		select {
		case <-ticks.C:
		case <-end:
			ts.Fatalf("the daemon is not ready")
		}
	}
}
