package doctest

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// pair is a page in two languages.
type pair struct{ english, chinese page }

// pairs reads the README and all pages of docs/zh-CN with their originals.
func pairs(t *testing.T) []pair {
	t.Helper()
	found := []pair{{read(t, filepath.Join(root, "README.md")), read(t, filepath.Join(root, "README.zh-CN.md"))}}
	files, err := filepath.Glob(filepath.Join(root, "docs/zh-CN/*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		found = append(found, pair{read(t, filepath.Join(root, "docs", filepath.Base(file))), read(t, file)})
	}
	return found
}

func TestBothLanguagesAreInStep(t *testing.T) {
	all := pairs(t)
	for _, name := range []string{"getting-started", "guarantees", "daemon", "troubleshooting"} {
		if !slices.ContainsFunc(all, func(p pair) bool { return p.chinese.path == "docs/zh-CN/"+name+".md" }) {
			t.Errorf("docs/%s.md has no page in docs/zh-CN", name)
		}
	}
	for _, p := range all {
		for _, d := range p.differences(all) {
			t.Error(d)
		}
	}
}

// differences says where the Chinese page is not the English one. The other
// pairs tell which links lead to a Chinese page.
func (p pair) differences(all []pair) (found []string) {
	found = append(p.english.switches("English | [简体中文](%s)", p.chinese), p.chinese.switches("[English](%s) | 简体中文", p.english)...)
	english, chinese := p.english.sections(), p.chinese.sections()
	if len(english) != len(chinese) {
		return append(found, fmt.Sprintf("%s has %d headings, %s has %d: they part %s",
			p.english.path, len(english), p.chinese.path, len(chinese), p.part(english, chinese)))
	}
	for i, e := range english {
		found = append(found, p.compare(e, chinese[i])...)
		found = append(found, p.compareLinks(e, chinese[i], all)...)
	}
	return found
}

// part returns the first place where the sections differ. It ignores links, since
// all links to headings after that place differ.
func (p pair) part(english, chinese []section) string {
	i := 0
	for i < min(len(english), len(chinese))-1 && len(p.compare(english[i], chinese[i])) == 0 {
		i++
	}
	return fmt.Sprintf("%s, where %s and %s are next", p.below(english[i], chinese[i]), next(english, i), next(chinese, i))
}

// switches says if the third line does not lead to the other language.
func (p page) switches(format string, to page) []string {
	address, err := filepath.Rel(path.Dir(p.path), to.path)
	want := fmt.Sprintf(format, filepath.ToSlash(address))
	if err != nil || !slices.Contains(p.prose, line{3, want}) {
		return []string{fmt.Sprintf("%s:3 should be %s", p.path, want)}
	}
	return nil
}

func next(all []section, i int) string {
	if i+1 == len(all) {
		return "the end"
	}
	return fmt.Sprintf("%q", all[i+1].heading.text)
}

// below names a place in both pages.
func (p pair) below(e, c section) string {
	return fmt.Sprintf("below %q (%s:%d) and %q (%s:%d)",
		e.heading.text, p.english.path, e.heading.number, c.heading.text, p.chinese.path, c.heading.number)
}

func (p pair) compare(e, c section) (found []string) {
	differ := func(format string, args ...any) {
		found = append(found, p.below(e, c)+": "+fmt.Sprintf(format, args...))
	}
	if e.level() != c.level() {
		differ("the levels of the headings differ")
	}
	p.compareFacts(differ, []line{e.heading}, []line{c.heading})
	p.compareFacts(differ, e.text, c.text)
	if len(e.blocks) != len(c.blocks) {
		differ("%d blocks of code, and %d", len(e.blocks), len(c.blocks))
	}
	for i := range min(len(e.blocks), len(c.blocks)) {
		if a, b := e.blocks[i], c.blocks[i]; a.language != b.language || a.text != b.text {
			differ("the blocks of code in lines %d and %d differ:\n%s\nand:\n%s", a.number, b.number, a.text, b.text)
		}
	}
	p.compareTables(differ, e.tables, c.tables)
	return found
}

func (p pair) compareFacts(differ func(string, ...any), e, c []line) {
	english, chinese := facts(e...), facts(c...)
	for _, f := range english {
		if !slices.Contains(chinese, f) {
			differ("only English has %s, from line %d", f, e[0].number)
		}
	}
	for _, f := range chinese {
		if !slices.Contains(english, f) {
			differ("only Chinese has %s, from line %d", f, c[0].number)
		}
	}
}

func (p pair) compareTables(differ func(string, ...any), e, c [][]line) {
	if len(e) != len(c) {
		differ("%d tables, and %d", len(e), len(c))
		return
	}
	for i := range e {
		if len(e[i]) != len(c[i]) {
			differ("the tables in lines %d and %d have %d and %d lines", e[i][0].number, c[i][0].number, len(e[i]), len(c[i]))
			continue
		}
		for j := range e[i] {
			if a, b := e[i][j], c[i][j]; columns(a) != columns(b) {
				differ("the rows in lines %d and %d have %d and %d columns", a.number, b.number, columns(a), columns(b))
			}
			p.compareFacts(differ, e[i][j:j+1], c[i][j:j+1])
		}
	}
}

func (p pair) compareLinks(e, c section, all []pair) (found []string) {
	english, chinese := addresses(p.english.between(e)), addresses(p.chinese.between(c))
	if len(english) != len(chinese) {
		found = append(found, fmt.Sprintf("%s: %d links, and %d", p.below(e, c), len(english), len(chinese)))
	}
	for i := range min(len(english), len(chinese)) {
		if a, b := english[i], chinese[i]; !p.sameTarget(a.text, b.text, all) {
			return append(found, fmt.Sprintf("%s: the links in lines %d and %d lead to %s and %s",
				p.below(e, c), a.number, b.number, a.text, b.text)) // those that follow may be off by one
		}
	}
	return found
}

// between returns a section's lines, tables included, without the one that switches
// the language.
func (p page) between(s section) (found []line) {
	for _, l := range p.prose {
		if l.number > s.heading.number && strings.HasPrefix(l.text, "#") {
			break
		}
		if l.number >= s.heading.number && l.number != 3 {
			found = append(found, l)
		}
	}
	return found
}

// sameTarget says whether two links lead to the same page, in Chinese if there
// is one, and to the same of its headings.
func (p pair) sameTarget(english, chinese string, all []pair) bool {
	if outside(english) {
		return english == chinese
	}
	file, anchor := p.english.resolve(english)
	gotFile, gotAnchor := p.chinese.resolve(chinese)
	for _, other := range all {
		if other.english.path == file {
			return gotFile == other.chinese.path && other.sameHeading(anchor, gotAnchor)
		}
	}
	return file == gotFile && anchor == gotAnchor
}

func (p pair) sameHeading(english, chinese string) bool {
	e, c := anchors(p.english), anchors(p.chinese)
	return len(e) != len(c) || slices.Index(e, english) == slices.Index(c, chinese) // other lengths are told for that page
}

func TestDifferencesBetweenLanguagesAreNamed(t *testing.T) {
	const english = "# Page\n\nEnglish | [简体中文](zh-CN/a.md)\n\n" +
		"Wait 5 s with `Run`.\n\n## One\n\nSee [b](b.md#x), [two](#two).\n\n```go\nf()\n```\n\n" +
		"## Two\n\n| a | b |\n| --- | --- |\n| `c|d` | \"the first law of all\" |\n"
	const chinese = "# 页\n\n[English](../a.md) | 简体中文\n\n" +
		"用 `Run` 等 5 秒。\n\n## 一\n\n见 [b](../b.md#x)、[二](#二)。\n\n```go\nf()\n```\n\n" +
		"## 二\n\n| 甲 | 乙 |\n| --- | --- |\n| `c|d` | \"the first law of all\" |\n"
	for _, c := range []struct{ name, old, new, want string }{
		{"nothing", "", "", ""},
		{"a heading is missing", "## 二\n", "", `docs/a.md has 3 headings, docs/zh-CN/a.md has 2: they part below "## One" (docs/a.md:7) and "## 一" (docs/zh-CN/a.md:7), where "## Two" and the end are next`},
		{"a heading is at another level", "## 二", "### 二", `below "## Two" (docs/a.md:15) and "### 二" (docs/zh-CN/a.md:15): the levels of the headings differ`},
		{"a block differs", "f()", "g()", "the blocks of code in lines 12 and 12 differ:\nf()\n\nand:\ng()\n"},
		{"a block is missing", "```go\nf()\n```\n", "", "1 blocks of code, and 0"},
		{"a link leads to another heading", "#二", "#一", "the links in lines 9 and 9 lead to #two and #一"},
		{"a link leads to another page", "../b.md", "../c.md", "lead to b.md#x and ../c.md#x"},
		{"a link to English where there is Chinese", "(#二)", "(../a.md#two)", "lead to #two and ../a.md#two"},
		{"a link is missing", "、[二](#二)", "", "2 links, and 1"},
		{"a row is missing", "| --- | --- |\n| `c|d` | \"the first law of all\" |\n", "| --- | --- |\n", "have 3 and 2 lines"},
		{"a column is missing", "| 甲 | 乙 |", "| 甲 |", "the rows in lines 17 and 17 have 2 and 1 columns"},
		{"a table is missing", "| 甲 | 乙 |\n| --- | --- |\n| `c|d` | \"the first law of all\" |\n", "", "1 tables, and 0"},
		{"a number differs", "5 秒", "6 秒", "only English has 5, from line 2"},
		{"a name is new", "用 `Run`", "用 `Run` 和 `Stop`", "only Chinese has `Stop`, from line 2"},
		{"a law differs", "law of", "law for", `only English has "the first law of all", from line 19`},
		{"no way to the other language", "[English](../a.md) | 简体中文", "", "docs/zh-CN/a.md:3 should be [English](../a.md) | 简体中文"},
	} {
		e, z := parse(english), parse(strings.Replace(chinese, c.old, c.new, 1))
		e.path, z.path = "docs/a.md", "docs/zh-CN/a.md"
		p := pair{e, z}
		got := strings.Join(p.differences([]pair{p}), "\n")
		if (c.want == "") != (got == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: got %q, expected %q", c.name, got, c.want)
		}
	}
}
