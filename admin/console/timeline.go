package console

import (
	"net/http"
	"time"
)

// timelinePage is everything that happened, as far back as it is known.
func (c *Console) timelinePage(k *caller, _ *http.Request) (*view, error) {
	all, err := c.timeline(k, 200)
	return &view{Screen: "timeline", Nav: "overview", Title: "What happened", Data: all}, err
}

// happenedText is an entry in a language.
func happenedText(lang string, h happening) string {
	args := make([]any, len(h.Args))
	for i, a := range h.Args {
		switch a := a.(type) {
		case time.Duration:
			args[i] = span(lang, a)
		case word:
			args[i] = translate(lang, string(a))
		default:
			args[i] = a
		}
	}
	return translate(lang, h.Text, args...)
}
