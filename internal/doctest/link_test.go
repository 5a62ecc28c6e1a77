package doctest

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

var link = regexp.MustCompile(`!?\[[^\]]*\]\(([^)\s]+)\)`)

func TestLinksLeadSomewhere(t *testing.T) {
	all := pages(t)
	anchors := map[string]map[string]bool{}
	for _, p := range all {
		anchors[p.path] = headings(p)
	}
	found := 0
	for _, p := range all {
		for _, l := range p.prose {
			for _, m := range link.FindAllStringSubmatch(inline.ReplaceAllString(l.text, ""), -1) {
				if strings.Contains(m[1], "://") || strings.HasPrefix(m[1], "mailto:") {
					continue
				}
				found++
				file, anchor, _ := strings.Cut(m[1], "#")
				target := p.path
				if file != "" {
					target = path.Join(path.Dir(p.path), file)
				}
				if _, err := os.Stat(filepath.Join(root, target)); err != nil {
					t.Errorf("%s:%d links to %s, which does not exist", p.path, l.number, m[1])
				} else if anchor != "" && !anchors[target][anchor] {
					t.Errorf("%s:%d links to %s, and %s has no such heading", p.path, l.number, m[1], target)
				}
			}
		}
	}
	if found < 100 {
		t.Errorf("only %d links were found", found)
	}
}

// Every page is reached from the index.
func TestTheIndexNamesEveryPage(t *testing.T) {
	var index string
	for _, l := range read(t, filepath.Join(root, "docs/README.md")).prose {
		index += l.text + "\n"
	}
	for _, p := range pages(t) {
		if name, ok := strings.CutPrefix(p.path, "docs/"); ok && name != "README.md" && path.Dir(name) == "." && !strings.Contains(index, "("+name+")") {
			t.Errorf("docs/README.md does not link to %s", name)
		}
	}
}

// headings is the anchors that GitHub makes.
func headings(p page) map[string]bool {
	found := map[string]bool{}
	for _, l := range p.prose {
		if !strings.HasPrefix(l.text, "#") {
			continue
		}
		base := slug(strings.TrimLeft(l.text, "# "))
		anchor := base
		for n := 1; found[anchor]; n++ {
			anchor = base + "-" + strconv.Itoa(n)
		}
		found[anchor] = true
	}
	return found
}

func slug(heading string) string {
	heading = link.ReplaceAllStringFunc(heading, func(l string) string { return l[1:strings.IndexByte(l, ']')] })
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, heading)
}

func TestAnchorsAreThoseOfGitHub(t *testing.T) {
	for heading, want := range map[string]string{
		"SQLite: \"database is locked\"":     "sqlite-database-is-locked",
		"1. The outbox-java specification":   "1-the-outbox-java-specification",
		"outbox_control, `outbox_instance`":  "outbox_control-outbox_instance",
		"[Names](#names), and what they are": "names-and-what-they-are",
	} {
		if got := slug(heading); got != want {
			t.Errorf("%q gives %q, expected %q", heading, got, want)
		}
	}
}
