package doctest

import (
	"regexp"
	"slices"
	"strings"
)

// section is a heading with what stands below it, up to the next heading of any
// level.
type section struct {
	heading line
	text    []line // without the tables
	blocks  []block
	tables  [][]line
}

func (p page) sections() (found []section) {
	for _, l := range p.prose {
		if strings.HasPrefix(l.text, "#") || len(found) == 0 {
			found = append(found, section{heading: l})
			continue
		}
		s := &found[len(found)-1]
		if !strings.HasPrefix(strings.TrimSpace(l.text), "|") {
			s.text = append(s.text, l)
			continue
		}
		if n := len(s.tables); n == 0 || s.tables[n-1][len(s.tables[n-1])-1].number != l.number-1 {
			s.tables = append(s.tables, nil)
		}
		last := &s.tables[len(s.tables)-1]
		*last = append(*last, l)
	}
	for _, b := range p.blocks {
		for i := len(found) - 1; i >= 0; i-- {
			if found[i].heading.number < b.number {
				found[i].blocks = append(found[i].blocks, b)
				break
			}
		}
	}
	return found
}

func (s section) level() int { return len(s.heading.text) - len(strings.TrimLeft(s.heading.text, "#")) }

// columns counts the cells of a row. A bar in code separates no cells.
func columns(row line) int {
	return strings.Count(inline.ReplaceAllString(row.text, ""), "|") - 1
}

var number = regexp.MustCompile(`\d+(?:[.,]\d+)*`)

// facts returns what a translation must not change: code, numbers, and the
// sentences of the suites.
func facts(lines ...line) (found []string) {
	var text strings.Builder
	for _, l := range lines {
		found = append(found, inline.FindAllString(l.text, -1)...)
		text.WriteString(address.ReplaceAllString(inline.ReplaceAllString(l.text, ""), "") + "\n")
	}
	found = append(found, number.FindAllString(text.String(), -1)...)
	for _, m := range quoted.FindAllStringSubmatch(text.String(), -1) {
		if law(m[1]) {
			found = append(found, strings.Join(strings.Fields(m[0]), " "))
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}
