package doctest

import (
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	qualified = regexp.MustCompile(`\b([a-z][a-z0-9]*)\.([A-Z]\w*)(?:\[\w+\])?(?:\.([A-Z]\w*))?`)
	member    = regexp.MustCompile(`^([A-Z]\w*)\.(\w+)`)
)

// A name in the text is one that the packages export today. The log of changes
// speaks of former ones and is left out, as are the decisions.
func TestNamesInTheTextExist(t *testing.T) {
	x := collect(t)
	checked := 0
	for _, p := range pages(t) {
		if strings.HasPrefix(p.path, "docs/adr/") {
			continue
		}
		for _, l := range p.prose {
			for _, c := range code(l.text) {
				checked += x.check(t, p.path, l.number, c)
			}
		}
		for _, b := range p.blocks {
			if b.language != "go" {
				continue
			}
			for i, l := range strings.Split(b.text, "\n") {
				checked += x.check(t, p.path, b.number+i, l)
			}
		}
	}
	if checked < 200 {
		t.Errorf("only %d names were found", checked)
	}
}

func (x *exports) check(t *testing.T, path string, number int, text string) (checked int) {
	t.Helper()
	for _, m := range qualified.FindAllStringSubmatch(text, -1) {
		names := x.names[m[1]]
		// Of the standard library, or of another module. An example has the name of
		// the standard testing.
		if names == nil || m[1] == "main" || m[1] == "testing" {
			continue
		}
		checked++
		if !names[m[2]] {
			t.Errorf("%s:%d: package %s has no %s", path, number, m[1], m[2])
		} else if m[3] != "" && x.members[m[1]][m[2]] != nil && !x.members[m[1]][m[2]][m[3]] {
			t.Errorf("%s:%d: %s.%s has no %s", path, number, m[1], m[2], m[3])
		}
	}
	if m := member.FindStringSubmatch(text); m != nil {
		if known, found := x.ofAnyPackage(m[1], m[2]); known {
			checked++
			if !found {
				t.Errorf("%s:%d: no type %s has a %s", path, number, m[1], m[2])
			}
		}
	}
	return checked
}

var file = regexp.MustCompile(`^(?:bench|cmd|deploy|docs|driver|e2e|examples|inbox|internal|relay|scripts|sink|store)/[\w/*.-]+$`)

func TestFilesInTheTextExist(t *testing.T) {
	found := 0
	for _, p := range pages(t) {
		for _, l := range p.prose {
			for _, c := range code(l.text) {
				if !file.MatchString(c) {
					continue
				}
				found++
				if matches, err := filepath.Glob(filepath.Join(root, c)); err != nil || len(matches) == 0 {
					t.Errorf("%s:%d names %s, which does not exist", p.path, l.number, c)
				}
			}
		}
	}
	if found < 100 {
		t.Errorf("only %d files were found", found)
	}
}

var testName = regexp.MustCompile(`\b((?:Test|Fuzz)[A-Z]\w+)(\.\.\.)?`)

// Where a test is if a page names no folder.
var folders = map[string][]string{
	"docs/guarantees.md":       {"relay", "cmd/internal/relaytest"},
	"docs/zh-CN/guarantees.md": {"relay", "cmd/internal/relaytest"},
	"docs/spec-map.md":         {"relay", "cmd/internal/relaytest", "cmd/internal/daemon", "cmd/internal/daemon/config"},
}

func TestTheTestsThatPagesNameExist(t *testing.T) {
	x := collect(t)
	found := 0
	for _, p := range pages(t) {
		for i, l := range p.prose {
			around := l.text
			if i+1 < len(p.prose) && !strings.HasPrefix(l.text, "|") {
				around += " " + p.prose[i+1].text // a sentence may go on
			}
			for _, c := range code(l.text) {
				m := testName.FindStringSubmatch(c)
				if m == nil || x.names["outboxtest"][m[1]] {
					continue
				}
				found++
				if m[2] != "" { // the beginning of several names
					if !slices.ContainsFunc(slices.Collect(maps.Keys(x.tests)), func(name string) bool { return strings.HasPrefix(name, m[1]) }) {
						t.Errorf("%s:%d names %s, and there is no such test", p.path, l.number, c)
					}
				} else if x.tests[m[1]] == nil {
					t.Errorf("%s:%d names %s, and there is no such test", p.path, l.number, c)
				} else if !placed(x.tests[m[1]], folders[p.path], around) && folders[p.path] != nil && c != "TestSink" {
					t.Errorf("%s:%d names %s, which is in %q", p.path, l.number, c, x.tests[m[1]])
				}
			}
		}
	}
	if found < 200 {
		t.Errorf("only %d tests were found", found)
	}
}

// placed says whether one of a test's folders is among the usual ones, or is
// named in the line.
func placed(of, usual []string, text string) bool {
	return slices.ContainsFunc(of, func(folder string) bool {
		return slices.Contains(usual, folder) || strings.Contains(text, "`"+folder+"`") ||
			(folder == "." && (strings.Contains(text, "root ") || strings.Contains(text, "根包")))
	})
}

var quoted = regexp.MustCompile(`"([^"]+)"`)

// The laws that guarantees.md and spec-map.md quote are sentences of the suites.
func TestTheLawsThatPagesQuoteExist(t *testing.T) {
	x := collect(t)
	found := 0
	for path, section := range map[string]string{
		"docs/guarantees.md": "## Which tests show it", "docs/zh-CN/guarantees.md": "## 由哪些测试证明",
		"docs/spec-map.md": "# Where the specifications went",
	} {
		var text strings.Builder
		for _, l := range read(t, root+"/"+path).section(t, section) {
			if !strings.HasPrefix(l.text, "|") && path == "docs/spec-map.md" {
				continue
			}
			text.WriteString(inline.ReplaceAllString(l.text, "") + " ")
		}
		for _, m := range quoted.FindAllStringSubmatch(strings.Join(strings.Fields(text.String()), " "), -1) {
			if !law(m[1]) {
				continue
			}
			found++
			if !x.strings[m[1]] {
				t.Errorf("%s quotes %q, which is no law of the suites", path, m[1])
			}
		}
	}
	if found < 100 {
		t.Errorf("only %d laws were found", found)
	}
}

// law tells a sentence of the suites from another quotation.
func law(quotation string) bool {
	words := strings.Fields(quotation)
	return len(words) > 3 && (words[0] == strings.ToLower(words[0]) || words[0] == "JSON")
}

// What the page of symptoms quotes is what programs say.
func TestTheMessagesOfTroubleshootingExist(t *testing.T) {
	x := collect(t)
	texts := slices.Collect(maps.Keys(x.strings))
	found := 0
	for _, name := range []string{"docs/troubleshooting.md", "docs/zh-CN/troubleshooting.md"} {
		for _, l := range read(t, filepath.Join(root, name)).prose {
			for _, c := range code(l.text) {
				if !strings.HasPrefix(l.text, "|") || len(strings.Fields(c)) < 3 || strings.ContainsAny(c, "`=$()|-") {
					continue
				}
				found++
				if !slices.ContainsFunc(texts, func(s string) bool { return strings.Contains(s, c) }) {
					t.Errorf("%s:%d quotes %q, which no program says", name, l.number, c)
				}
			}
		}
	}
	if found < 20 {
		t.Errorf("only %d messages were found", found)
	}
}
