package console

import (
	"cmp"
	"encoding/hex"
	"net/http"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxShown is how many bytes of a payload a page shows.
const maxShown = 64 << 10

// payload is what a page shows of a payload and its headers.
type payload struct {
	Hidden  bool // from this person
	View    string
	Views   []string // those that the payload has: "tree", "raw", "hex"
	Size    int      // in bytes
	Cut     bool     // View does not show all of it
	Tree    *node
	NotJSON bool   // it should be, and is not
	Text    string // of the views "raw" and "hex"
	Headers []header
}

type header struct{ Name, Value string }

// payloadOf is the payload of an answer of the API, in the view that the request
// asks for. An answer has neither text nor bytes if the person may not see them.
func payloadOf(r *http.Request, text string, raw *[]byte, headers map[string]string) payload {
	p := payload{Hidden: text == "" && raw == nil}
	for name, value := range headers {
		p.Headers = append(p.Headers, header{name, value})
	}
	slices.SortFunc(p.Headers, func(a, b header) int { return cmp.Compare(a.Name, b.Name) })
	switch {
	case p.Hidden:
		return p
	case raw == nil:
		tree, whole, err := treeOf(text)
		p.Size, p.Views, p.Tree, p.Cut, p.NotJSON = len(text), []string{"tree", "raw", "hex"}, tree, !whole, err != nil
		if err != nil {
			p.Views = p.Views[1:]
		}
	default:
		text = string(*raw)
		p.Size, p.Views = len(text), []string{"hex", "raw"}
		if readable(text) {
			p.Views = []string{"raw", "hex"}
		}
	}
	p.View = p.Views[0]
	if want := r.URL.Query().Get("view"); slices.Contains(p.Views, want) {
		p.View = want
	}
	if p.View == "tree" {
		return p
	}
	p.Tree, p.Cut = nil, len(text) > maxShown
	text = text[:min(len(text), maxShown)]
	if p.View == "hex" {
		p.Text = hex.Dump([]byte(text))
		return p
	}
	p.Text = strings.ToValidUTF8(text, "\uFFFD")
	return p
}

// readable reports whether bytes are a text that a person wrote or can read.
func readable(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool {
		return unicode.IsControl(r) && !strings.ContainsRune("\t\r\n", r)
	})
}
