package doctest

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// named is the inline code in the first cells of a page's tables.
func named(p page) (names []string) {
	for _, l := range p.prose {
		cells := strings.Split(l.text, "|")
		if len(cells) < 3 || strings.TrimSpace(cells[0]) != "" {
			continue
		}
		names = append(names, code(cells[1])...)
	}
	return names
}

func TestTablesOfSettingsAreComplete(t *testing.T) {
	x := collect(t)
	for _, c := range []struct {
		page  string
		types []string
	}{
		{"docs/relay.md", []string{"relay.Config", "relay.LaneConfig"}},
		{"docs/inbox.md", []string{"inbox.Config"}},
		{"docs/hooks.md", []string{"observe.Hooks", "outbox.WriteHook", "outbox.CommitHook", "outbox.Interceptor"}},
	} {
		names := named(read(t, filepath.Join(root, c.page)))
		for _, of := range c.types {
			if len(x.order[of]) == 0 {
				t.Errorf("%s has no fields", of)
			}
			for _, field := range x.order[of] {
				if !slices.Contains(names, field) {
					t.Errorf("%s has no row for %s of %s", c.page, field, of)
				}
			}
		}
	}
}

var (
	createTable = regexp.MustCompile(`(?s)CREATE TABLE IF NOT EXISTS (\w+) \((.*?)\n\)`)
	column      = regexp.MustCompile(`(?m)^  ([a-z_]+) `)
	addColumn   = regexp.MustCompile(`ADD COLUMN (?:IF NOT EXISTS )?([a-z_]+)`)
	createIndex = regexp.MustCompile(`(?:CREATE (?:UNIQUE )?INDEX IF NOT EXISTS|\n  (?:UNIQUE )?KEY) (\w+)`)
)

func TestTheSchemaPageHasEveryColumnAndIndex(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "docs/schema.md"))
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(root, "store/*/migrations/*.up.sql"))
	if err != nil || len(files) < 6 {
		t.Fatalf("migrations: %v %v", files, err)
	}
	for _, file := range files {
		sql, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, m := range createTable.FindAllStringSubmatch(string(sql), -1) {
			names = append(names, m[1])
			for _, c := range column.FindAllStringSubmatch(m[2], -1) {
				names = append(names, c[1])
			}
		}
		for _, m := range addColumn.FindAllStringSubmatch(string(sql), -1) {
			names = append(names, m[1])
		}
		for _, m := range createIndex.FindAllStringSubmatch(string(sql), -1) {
			names = append(names, m[1])
		}
		if len(names) == 0 {
			t.Errorf("%s creates nothing", file)
		}
		for _, name := range names {
			if !strings.Contains(string(text), "`"+name+"`") {
				t.Errorf("docs/schema.md does not name %s of %s", name, file)
			}
		}
	}
}

var figure = regexp.MustCompile(`\d[\d,]*/s|\d+\.\d+ ms|\d+\.\d\d \([\d.]+ to [\d.]+\)`)

// The page for users rounds in its sentences; its tables have the figures of
// the notes.
func TestTheFiguresOfTheBenchmarkPageAreRecorded(t *testing.T) {
	notes, err := os.ReadFile(filepath.Join(root, "docs/benchmarks-notes.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"docs/benchmarks.md", "docs/comparison.md"} {
		found := 0
		for _, l := range read(t, filepath.Join(root, name)).prose {
			if !strings.HasPrefix(l.text, "|") {
				continue
			}
			for _, f := range figure.FindAllString(l.text, -1) {
				found++
				if !strings.Contains(string(notes), f) {
					t.Errorf("%s:%d has %s, and docs/benchmarks-notes.md has not", name, l.number, f)
				}
			}
		}
		if found == 0 {
			t.Errorf("%s has no figures", name)
		}
	}
}

// power finds the interfaces of package driver that a store may implement.
var power = regexp.MustCompile(`(?m)^type ((?:\w+Store|Waker|Ledger))(?:\[\w+ any\])? interface`)

func TestThePageOfDriversHasEveryPower(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(root, "driver", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	names, found := named(read(t, filepath.Join(root, "docs/drivers.md"))), 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range power.FindAllStringSubmatch(string(text), -1) {
			if found++; !slices.Contains(names, "driver."+m[1]) {
				t.Errorf("docs/drivers.md: the table of powers lacks driver.%s", m[1])
			}
		}
	}
	if found < 17 {
		t.Errorf("found %d powers: the pattern misses some", found)
	}
}
