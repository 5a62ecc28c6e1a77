package doctest

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const root = "../.."

// page is one Markdown file.
type page struct {
	path   string // from the root, with slashes
	prose  []line // outside of fenced blocks
	blocks []block
}

type line struct {
	number int
	text   string
}

// block is fenced code.
type block struct {
	number   int // of its first line
	language string
	text     string
}

// pages reads every page that a user meets.
func pages(t *testing.T) []page {
	t.Helper()
	var paths []string
	for _, name := range []string{"README.md", "README.zh-CN.md", "CONTRIBUTING.md", "SECURITY.md", "examples/README.md"} {
		paths = append(paths, filepath.Join(root, name))
	}
	examples, err := filepath.Glob(filepath.Join(root, "examples/*/README.md"))
	if err != nil {
		t.Fatal(err)
	}
	paths = append(paths, examples...)
	err = filepath.WalkDir(filepath.Join(root, "docs"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && filepath.Ext(path) == ".md" {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	ps := make([]page, len(paths))
	for i, path := range paths {
		ps[i] = read(t, path)
	}
	return ps
}

func read(t *testing.T, path string) page {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	name, err := filepath.Rel(root, path)
	if err != nil {
		t.Fatal(err)
	}
	p := parse(string(text))
	p.path = filepath.ToSlash(name)
	return p
}

var fence = regexp.MustCompile("^( *)```([a-z]*)$")

func parse(text string) (p page) {
	var open *block
	var indent string
	for i, l := range strings.Split(text, "\n") {
		m := fence.FindStringSubmatch(l)
		switch {
		case open == nil && m != nil:
			open, indent = &block{number: i + 2, language: m[2]}, m[1]
		case open == nil:
			p.prose = append(p.prose, line{i + 1, l})
		case m != nil && m[2] == "":
			p.blocks = append(p.blocks, *open)
			open = nil
		default:
			open.text += strings.TrimPrefix(l, indent) + "\n"
		}
	}
	return p
}

// section is the lines below a heading, up to the next of its level or above.
func (p page) section(t *testing.T, heading string) []line {
	t.Helper()
	level := strings.IndexByte(heading, ' ')
	var found []line
	inside := false
	for _, l := range p.prose {
		if n := strings.IndexByte(l.text, ' '); strings.HasPrefix(l.text, "#") && n <= level {
			inside = l.text == heading
			continue
		}
		if inside {
			found = append(found, l)
		}
	}
	if len(found) == 0 {
		t.Fatalf("%s has no section %q", p.path, heading)
	}
	return found
}

var inline = regexp.MustCompile("`[^`]+`")

// code is the inline code of a line.
func code(text string) []string {
	found := inline.FindAllString(text, -1)
	for i := range found {
		found[i] = strings.Trim(found[i], "`")
	}
	return found
}

func TestFencedBlocksAreToldFromProse(t *testing.T) {
	p := parse("a `b`\n```go\nx()\n```\n- c\n\n  ```\n  $ y\n  ```\nd\n")
	if len(p.blocks) != 2 || p.blocks[0] != (block{3, "go", "x()\n"}) || p.blocks[1] != (block{8, "", "$ y\n"}) {
		t.Errorf("blocks: %+v", p.blocks)
	}
	if len(p.prose) != 5 || p.prose[1] != (line{5, "- c"}) {
		t.Errorf("prose: %+v", p.prose)
	}
}
