package console

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// phrase is a text with values in it, and how another language says it.
type phrase struct {
	first, last string // what it begins and ends with
	pattern     *regexp.Regexp
	verbs       []string // of its values
	length      int      // of what is no value
	to          string
}

// phrases are those of one language. They are found again in texts that others have
// finished.
type phrases struct {
	sentences []phrase
	parts     []phrase // the same, as they stand within another text
	words     map[string]string
}

var (
	phraseVerb = regexp.MustCompile(`%[dqsv]`)
	otherVerb  = regexp.MustCompile(`%(\[\d+\])?[dqv]`)
)

// valuesOf are the values that a verb of a phrase stands for: a number, a quoted
// text, any text, and one which is a phrase or a word itself.
var valuesOf = map[string]string{"%d": `(-?[0-9]+)`, "%q": `("(?:[^"\\]|\\.)*")`, "%s": `(.*?)`, "%v": `(.*?)`}

// newPhrases reads a translation. Alone makes sentences of a phrase and its translation;
// words are the translations of values which are words.
func newPhrases(all map[string]string, alone func(text, to string) (string, string), words map[string]string) *phrases {
	p := &phrases{words: words}
	for text, to := range all {
		p.sentences = append(p.sentences, newPhrase(alone(text, to)))
		p.parts = append(p.parts, newPhrase(text, to))
	}
	// A phrase is the better one if it does not begin with a value, and if it says more.
	// The order of the map must not matter.
	better := func(a, b phrase) int {
		return cmp.Or(cmp.Compare(min(len(b.first), 1), min(len(a.first), 1)), cmp.Compare(b.length, a.length), cmp.Compare(a.pattern.String(), b.pattern.String()))
	}
	slices.SortFunc(p.sentences, better)
	slices.SortFunc(p.parts, better)
	return p
}

func newPhrase(text, to string) phrase {
	p := phrase{verbs: phraseVerb.FindAllString(text, -1), to: otherVerb.ReplaceAllString(to, "%${1}s")}
	literal := phraseVerb.Split(text, -1)
	p.first, p.last = literal[0], literal[len(literal)-1]
	pattern := ""
	for i, l := range literal {
		if p.length += len(l); i > 0 {
			pattern += valuesOf[p.verbs[i-1]]
		}
		pattern += regexp.QuoteMeta(l)
	}
	p.pattern = regexp.MustCompile(`(?s)\A` + pattern + `\z`)
	return p
}

// sentence returns a text that stands alone, in this language. One that is not known
// stays as it is. A value is never lost, whatever it contains: each has its place in
// every translation.
func (p *phrases) sentence(text string) string {
	if p == nil {
		return text
	}
	return p.in(p.sentences, text)
}

// part returns a value, or another part of a text, in this language.
func (p *phrases) part(text string) string {
	for _, word := range []string{text, upper(text)} {
		if to, ok := p.words[word]; ok {
			return to
		}
	}
	return p.in(p.parts, text)
}

func (p *phrases) in(all []phrase, text string) string {
	for _, one := range all {
		if !strings.HasPrefix(text, one.first) || !strings.HasSuffix(text, one.last) {
			continue
		}
		found := one.pattern.FindStringSubmatch(text)
		switch {
		case found == nil:
			continue
		case len(one.verbs) == 0:
			return one.to
		}
		values := make([]any, len(one.verbs))
		for i, verb := range one.verbs {
			values[i] = found[i+1]
			if verb == "%v" && len(found[i+1]) < len(text) {
				values[i] = p.part(found[i+1])
			}
		}
		return fmt.Sprintf(one.to, values...)
	}
	return text
}

// upper begins a text with a capital.
func upper(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	if size == 0 || first == utf8.RuneError {
		return text
	}
	return string(unicode.ToUpper(first)) + text[size:]
}
