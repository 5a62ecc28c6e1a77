package admin

import (
	"bytes"
	"embed"
	"html/template"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
)

//go:embed page/docs.html page/docs.css
var page embed.FS

var docsTemplate = template.Must(template.ParseFS(page, "page/docs.html"))

// docsPolicy lets the page load its own style, and nothing else.
const docsPolicy = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// describe serves the description of the operations as a page. It is made once,
// here, since the description does not change.
func describe(mux *http.ServeMux, doc *huma.OpenAPI) {
	var html bytes.Buffer
	if err := docsTemplate.Execute(&html, docsOf(doc)); err != nil {
		panic(err) // the template does not fit docs
	}
	style, err := page.ReadFile("page/docs.css")
	if err != nil {
		panic(err) // it is embedded
	}
	serve := func(contentType string, text []byte) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", contentType)
			w.Header().Set("Content-Security-Policy", docsPolicy)
			w.Header().Set("Referrer-Policy", "no-referrer")
			_, _ = w.Write(text) // the client has gone
		}
	}
	mux.HandleFunc("GET /api/docs", serve("text/html; charset=utf-8", html.Bytes()))
	mux.HandleFunc("GET /api/docs.css", serve("text/css; charset=utf-8", style))
}
