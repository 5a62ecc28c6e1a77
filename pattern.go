package outbox

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

func isPattern(eventType string) bool { return strings.ContainsAny(eventType, `*?[\`) }

// pattern is a parsed pattern of path.Match.
type pattern struct {
	elements []element
	// How many elements match one character: itself, one of a class, any.
	literals, classes, wild int
}

// element is a star, or one character from the ranges.
type element struct {
	star bool
	of   []runes
}

type runes struct{ from, to rune }

// notSlash is what ? matches, and every character of a star.
var notSlash = []runes{{0, '/' - 1}, {'/' + 1, utf8.MaxRune}}

// parsePattern parses a pattern that path.Match accepts.
func parsePattern(text string) (p pattern) {
	for text != "" {
		c, size := utf8.DecodeRuneInString(text)
		text = text[size:]
		switch c {
		case '*':
			p.elements = append(p.elements, element{star: true, of: notSlash})
			continue
		case '?':
			p.wild++
			p.elements = append(p.elements, element{of: notSlash})
			continue
		case '[':
			var class []runes
			class, text = parseClass(text)
			p.classes++
			p.elements = append(p.elements, element{of: class})
			continue
		case '\\':
			c, text = escaped(`\` + text)
		}
		p.literals++
		p.elements = append(p.elements, element{of: []runes{{c, c}}})
	}
	return p
}

// literal is the pattern that matches only that text.
func literal(text string) (p pattern) {
	for _, c := range text {
		p.literals++
		p.elements = append(p.elements, element{of: []runes{{c, c}}})
	}
	return p
}

// parseClass reads what follows a [, up to its ].
func parseClass(text string) (class []runes, rest string) {
	text, negated := strings.CutPrefix(text, "^")
	for first := true; text != "" && (first || text[0] != ']'); first = false {
		var r runes
		r.from, text = escaped(text)
		r.to = r.from
		if strings.HasPrefix(text, "-") {
			r.to, text = escaped(text[1:])
		}
		if r.from <= r.to {
			class = append(class, r)
		}
	}
	if negated {
		class = complement(class)
	}
	return class, strings.TrimPrefix(text, "]")
}

// escaped reads one character, which a backslash may precede.
func escaped(text string) (rune, string) {
	if len(text) > 1 && text[0] == '\\' {
		text = text[1:]
	}
	c, size := utf8.DecodeRuneInString(text)
	return c, text[size:]
}

func complement(class []runes) (rest []runes) {
	slices.SortFunc(class, func(a, b runes) int { return cmp.Compare(a.from, b.from) })
	next := rune(0)
	for _, r := range class {
		if next < r.from {
			rest = append(rest, runes{next, r.from - 1})
		}
		next = max(next, r.to+1)
	}
	if next <= utf8.MaxRune {
		rest = append(rest, runes{next, utf8.MaxRune})
	}
	return rest
}

// compare sorts the more specific pattern first: by its number of literal
// characters, then of classes, then of wildcards.
func (p pattern) compare(q pattern) int {
	return cmp.Or(q.literals-p.literals, q.classes-p.classes, q.wild-p.wild)
}

// meets reports whether some text matches both.
func (p pattern) meets(q pattern) bool {
	a, b := p.elements, q.elements
	for len(a) > 0 && len(b) > 0 && !a[0].star && !b[0].star { // most pairs end here, and there may be millions
		if !share(a[0].of, b[0].of) {
			return false
		}
		a, b = a[1:], b[1:]
	}
	below := make([]bool, len(b)+1) // whether a[i+1:] and b[j:] meet
	for i := len(a); i >= 0; i-- {
		row := make([]bool, len(b)+1)
		for j := len(b); j >= 0; j-- {
			inA, inB := i < len(a), j < len(b)
			both := inA && inB && share(a[i].of, b[j].of)
			switch {
			case !inA && !inB:
				row[j] = true
			case inA && a[i].star && below[j], inB && b[j].star && row[j+1]: // the star is empty
				row[j] = true
			case both && a[i].star:
				row[j] = row[j+1]
			case both && b[j].star:
				row[j] = below[j]
			case both:
				row[j] = below[j+1]
			}
		}
		below = row
	}
	return below[0]
}

// share reports whether two sets have a character in common.
func share(a, b []runes) bool {
	return slices.ContainsFunc(a, func(r runes) bool {
		return slices.ContainsFunc(b, func(s runes) bool { return r.from <= s.to && s.from <= r.to })
	})
}
