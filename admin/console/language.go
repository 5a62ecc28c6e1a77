package console

import (
	"fmt"
	"net/http"
	"strings"
)

// languages are the languages of the pages, each by its own name. Texts are
// English in templates and code; a translation maps each to its own.
var languages = map[string]string{"en": "English", "zh": "中文"}

var translations = map[string]map[string]string{"zh": chinese}

// translate returns a text in a language, with its arguments filled in. A text
// without a translation stays English.
func translate(lang, text string, args ...any) string {
	if t, ok := translations[lang][text]; ok {
		text = t
	}
	if len(args) == 0 {
		return text
	}
	return fmt.Sprintf(text, args...)
}

// languageOf is the language that somebody chose, or else the first one that their
// browser asks for and that exists.
func languageOf(r *http.Request) string {
	if c, err := r.Cookie("outbox_lang"); err == nil && languages[c.Value] != "" {
		return c.Value
	}
	for part := range strings.SplitSeq(r.Header.Get("Accept-Language"), ",") {
		tag, _, _ := strings.Cut(strings.TrimSpace(part), ";")
		tag, _, _ = strings.Cut(strings.ToLower(tag), "-")
		if languages[tag] != "" {
			return tag
		}
	}
	return "en"
}

// themeOf is the theme that somebody chose; "" is that of their system.
func themeOf(r *http.Request) string {
	if c, err := r.Cookie("outbox_theme"); err == nil && (c.Value == "dark" || c.Value == "light") {
		return c.Value
	}
	return ""
}
