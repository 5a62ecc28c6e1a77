package console

import (
	"strings"
	"sync"
)

// telling is how a language says what others have finished, with values in it.
type telling struct {
	alerts, refusals *phrases
	colon, semicolon string // in a list of mistakes
}

// tellings are made when they are first needed: that takes as long as starting the
// rest of a command.
var tellings = sync.OnceValue(func() map[string]telling {
	return map[string]telling{"zh": {
		newPhrases(chineseAlerts, func(text, to string) (string, string) { return text, to }, nil),
		newPhrases(chineseAPI, func(text, to string) (string, string) { return sentence(text), to + "。" }, chinese),
		"：", "；",
	}}
})

// alertText is what a rule says of an alert, in a language.
func alertText(lang, text string) string { return tellings()[lang].alerts.sentence(text) }

// problemText is why something was refused, in a language: by the console itself, or
// by the API.
func problemText(lang, text string) string {
	if to, ok := translations[lang][text]; ok {
		return to
	}
	in := tellings()[lang]
	if list, ok := strings.CutPrefix(text, mistakes); ok && in.refusals != nil {
		text = mistakes + in.mistakes(strings.TrimSuffix(list, ".")) + "."
	}
	return in.refusals.sentence(text)
}

// mistakes begins a list of what is wrong with a request, each with its place: see
// [caller.raw].
const mistakes = "Validation failed; "

func (in telling) mistakes(list string) string {
	all := strings.Split(list, "; ")
	for i, one := range all {
		if place, what, ok := strings.Cut(one, ": "); ok {
			all[i] = place + in.colon + in.refusals.part(what)
		}
	}
	return strings.Join(all, in.semicolon)
}
