package main

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	inCode   = regexp.MustCompile("`(outbox [a-z][^`]*)`")
	rest     = regexp.MustCompile(`\s+[#>|].*$`)     // comments, redirections, pipes
	brackets = strings.NewReplacer("[", "", "]", "") // around what may be left out
)

// Commands that the pages show exist, with their flags.
func TestTheCommandsOfThePagesExist(t *testing.T) {
	var files []string
	for _, pattern := range []string{"../../docs/*.md", "../../docs/zh-CN/*.md", "../../README*.md"} {
		matches, err := filepath.Glob(pattern)
		if err != nil || len(matches) == 0 {
			t.Fatalf("%s: %v %v", pattern, matches, err)
		}
		files = append(files, matches...)
	}
	found := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range shown(string(text)) {
			line = strings.TrimPrefix(line, "go run ./cmd/outbox")
			line = strings.TrimSpace(strings.TrimPrefix(line, "outbox "))
			if line == "" || !known(line) {
				continue
			}
			found++
			check(t, file, line)
		}
	}
	if found < 30 {
		t.Errorf("only %d commands were found", found)
	}
}

// shown is the lines of fenced blocks, and inline code that is a command.
func shown(page string) (lines []string) {
	fenced := false
	for _, line := range strings.Split(page, "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
		} else if fenced {
			lines = append(lines, line)
		} else {
			for _, m := range inCode.FindAllStringSubmatch(line, -1) {
				lines = append(lines, m[1])
			}
		}
	}
	return lines
}

// known says whether the first word is a command, and not another program's.
func known(line string) bool {
	word, _, _ := strings.Cut(line, " ")
	for _, c := range (&app{stdout: io.Discard, stderr: io.Discard}).root().Commands() {
		if c.Name() == word {
			return true
		}
	}
	return false
}

func check(t *testing.T, file, line string) {
	t.Helper()
	words := strings.Fields(brackets.Replace(rest.ReplaceAllString(line, "")))
	root := (&app{stdout: io.Discard, stderr: io.Discard}).root()
	c, arguments, err := root.Find(words)
	if err != nil {
		t.Errorf("%s: outbox %s: %v", file, line, err)
		return
	}
	if c.HasSubCommands() && len(arguments) > 0 && !strings.HasPrefix(arguments[0], "-") {
		t.Errorf("%s: outbox %s: %s has no command %s", file, line, c.Name(), arguments[0])
	}
	for _, word := range words {
		name, isFlag := strings.CutPrefix(word, "--")
		name, _, _ = strings.Cut(name, "=")
		if isFlag && name != "" && c.Flags().Lookup(name) == nil && c.InheritedFlags().Lookup(name) == nil {
			t.Errorf("%s: outbox %s: %s has no flag --%s", file, line, c.CommandPath(), name)
		}
	}
}
