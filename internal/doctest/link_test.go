package doctest

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

var (
	link = regexp.MustCompile(`!?\[[^\]]*\]\(([^)\s]+)\)`)
	// address is a link, or a picture or link in HTML.
	address = regexp.MustCompile(`\]\(([^)\s]+)\)|\b(?:href|src|srcset)="([^"\s]+)"`)
)

func TestLinksLeadSomewhere(t *testing.T) {
	all := pages(t)
	known := map[string][]string{}
	for _, p := range all {
		known[p.path] = anchors(p)
	}
	found := 0
	for _, p := range all {
		for _, l := range addresses(p.prose) {
			if outside(l.text) {
				continue
			}
			found++
			target, anchor := p.resolve(l.text)
			if _, err := os.Stat(filepath.Join(root, target)); err != nil {
				t.Errorf("%s:%d links to %s, which does not exist", p.path, l.number, l.text)
			} else if anchor != "" && !slices.Contains(known[target], anchor) {
				t.Errorf("%s:%d links to %s, and %s has no such heading", p.path, l.number, l.text, target)
			}
		}
	}
	if found < 100 {
		t.Errorf("only %d links were found", found)
	}
}

// addresses returns where the links and pictures of some lines lead, with the line
// of each. The text of a link may begin on the line before.
func addresses(lines []line) (found []line) {
	for _, l := range lines {
		for _, m := range address.FindAllStringSubmatch(inline.ReplaceAllString(l.text, ""), -1) {
			found = append(found, line{l.number, m[1] + m[2]})
		}
	}
	return found
}

func outside(address string) bool {
	return strings.Contains(address, "://") || strings.HasPrefix(address, "mailto:")
}

// resolve returns the file, from the root, and the heading that a link leads to.
func (p page) resolve(address string) (file, anchor string) {
	file, anchor, _ = strings.Cut(address, "#")
	if file == "" {
		return p.path, anchor
	}
	return path.Join(path.Dir(p.path), file), anchor
}

// Every page is reached from the index.
func TestTheIndexNamesEveryPage(t *testing.T) {
	var index string
	for _, l := range read(t, filepath.Join(root, "docs/README.md")).prose {
		index += l.text + "\n"
	}
	for _, p := range pages(t) {
		if name, ok := strings.CutPrefix(p.path, "docs/"); ok && name != "README.md" && path.Dir(name) != "adr" && !strings.Contains(index, "("+name+")") {
			t.Errorf("docs/README.md does not link to %s", name)
		}
	}
}

// anchors returns the anchors that GitHub makes of the headings, in order.
func anchors(p page) (found []string) {
	for _, l := range p.prose {
		if !strings.HasPrefix(l.text, "#") {
			continue
		}
		base := slug(strings.TrimLeft(l.text, "# "))
		anchor := base
		for n := 1; slices.Contains(found, anchor); n++ {
			anchor = base + "-" + strconv.Itoa(n)
		}
		found = append(found, anchor)
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
		"10. 未投递、也未经人决定的，一律不删除":              "10-未投递也未经人决定的一律不删除",
	} {
		if got := slug(heading); got != want {
			t.Errorf("%q gives %q, expected %q", heading, got, want)
		}
	}
}
