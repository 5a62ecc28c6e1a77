package doctest

import (
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var languages = []string{"", "go", "java", "python", "sh", "sql", "yaml"}

func TestGoCodeParses(t *testing.T) {
	found := 0
	for _, p := range pages(t) {
		for _, b := range p.blocks {
			if !slices.Contains(languages, b.language) {
				t.Errorf("%s:%d: %q is none of %q", p.path, b.number, b.language, languages)
			}
			if b.language != "go" {
				continue
			}
			found++
			if err := parses(b.text); err != nil {
				t.Errorf("%s:%d: %v", p.path, b.number, err)
			}
		}
	}
	if found < 10 {
		t.Errorf("only %d blocks of Go were found", found)
	}
}

// parses tries text as a file, as declarations and as statements.
func parses(text string) error {
	set := token.NewFileSet()
	if strings.HasPrefix(text, "package ") {
		_, err := parser.ParseFile(set, "", text, 0)
		return err
	}
	if _, err := parser.ParseFile(set, "", "package p\n"+text, 0); err == nil {
		return nil
	}
	_, err := parser.ParseFile(set, "", "package p\nfunc _() {\n"+text+"\n}", 0)
	return err
}

// What a reader copies first is compiled and run: each block is a run of lines
// of a file under examples/, whose Example functions compare the output.
func TestTheFirstSnippetsAreLinesOfTestedExamples(t *testing.T) {
	files := map[string][]string{}
	err := filepath.WalkDir(filepath.Join(root, "examples"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" {
			return err
		}
		text, err := os.ReadFile(path)
		files[path] = trimmed(string(text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"README.md", "docs/getting-started.md", "docs/drivers.md"} {
		found := 0
		for _, b := range read(t, filepath.Join(root, name)).blocks {
			if b.language != "go" {
				continue
			}
			found++
			want := trimmed(b.text)
			if !slices.ContainsFunc(slices.Collect(maps.Values(files)), func(lines []string) bool { return contains(lines, want) }) {
				t.Errorf("%s:%d: no file under examples/ has these lines:\n%s", name, b.number, b.text)
			}
		}
		if found == 0 {
			t.Errorf("%s has no Go", name)
		}
	}
}

// trimmed is the lines of a text without their indentation and without empty
// ones at the end.
func trimmed(text string) []string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return lines
}

func contains(lines, part []string) bool {
	for i := range len(lines) - len(part) + 1 {
		if slices.Equal(lines[i:i+len(part)], part) {
			return true
		}
	}
	return false
}

// A tracked transaction ends on every path, also in the examples that show more
// than the pages.
func TestEveryExampleOfTrackEndsItsTransaction(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(root, "examples/*/example_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	check := func(name, text string) {
		lines := trimmed(text)
		for i, l := range lines {
			if !strings.Contains(l, ".Track(ctx)") {
				continue
			}
			found++
			if i+1 == len(lines) || !strings.HasPrefix(lines[i+1], "defer done(outbox.ErrRolledBack)") {
				t.Errorf("%s: %q is not followed by defer done(outbox.ErrRolledBack)", name, l)
			}
		}
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		check(file, string(text))
	}
	for _, p := range pages(t) {
		for _, b := range p.blocks {
			check(p.path, b.text)
		}
	}
	if found < 7 {
		t.Errorf("only %d were found", found)
	}
}

// People and machines look for these two in the README.
func TestTheReadmeHasItsTwoCommands(t *testing.T) {
	for _, name := range []string{"README.md", "README.zh-CN.md"} {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, command := range []string{"go run ./cmd/outbox demo", "make test"} {
			if !strings.Contains(string(text), command) {
				t.Errorf("%s does not say %s", name, command)
			}
		}
	}
}
