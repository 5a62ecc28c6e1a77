package console

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/sendoff-go/outbox/admin"
)

//go:embed html
var html embed.FS

// view is what a page is made of.
type view struct {
	Screen  string // the file of its template, without its ending
	Nav     string // the entry of the menu; default: Screen
	Title   string // translated
	Data    any
	Problem string // translated
	NotLive bool
	Status  int           // default 200
	To      string        // where to go instead, relative to the top
	Search  string        // what was searched for
	Here    string        // this page, relative to the top; default: the one that was asked for
	State   *admin.Status // what the page shows, for the menu; default: the last that was recorded

	// Set by render:
	Root    string
	Lang    string
	Theme   string // "" for the system's
	Person  admin.Person
	Session bool   // it can be ended; others are known by their requests, or not at all
	Done    string // what an action has just done
	Menu    menu

	Name, Database, TraceURL string
}

// LiveQuery is the query of the stream of this page.
func (v *view) LiveQuery() string {
	_, query, _ := strings.Cut(v.Here, "?")
	if query == "" {
		return "live"
	}
	return query + "&live"
}

// May reports whether the person may do what a role may.
func (v *view) May(role string) bool { return v.Person.Role.AtLeast(admin.Role(role)) }

// SignedIn reports whether the page belongs to somebody.
func (v *view) SignedIn() bool { return v.Person.Name != "" }

// pages are the templates by language and file.
type pages map[string]map[string]*template.Template

// shared are the files that every page has.
var shared = []string{"html/layout.tmpl", "html/parts.tmpl", "html/payload.tmpl", "html/letterparts.tmpl"}

// files is what becomes of the embedded files.
type files struct {
	sums  map[string]string // the hashes of the static ones
	pages pages
}

// embedded is the same for all consoles of a process, and made for the first.
var embedded = sync.OnceValues(func() (f files, err error) {
	if f.sums, err = sumFiles(); err == nil {
		f.pages, err = parsePages(f.sums)
	}
	return f, err
})

// sumFiles returns the hashes of the static files, by their names.
func sumFiles() (sums map[string]string, err error) {
	sums = map[string]string{}
	err = fs.WalkDir(static, "static", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := static.ReadFile(name)
		sum := sha256.Sum256(text)
		sums[strings.TrimPrefix(name, "static/")] = hex.EncodeToString(sum[:6])
		return err
	})
	return sums, err
}

func parsePages(sums map[string]string) (pages, error) {
	files, err := fs.Glob(html, "html/*.tmpl")
	if err != nil {
		return nil, err
	}
	out := pages{}
	for lang := range languages {
		out[lang] = map[string]*template.Template{}
		funcs := functions(lang)
		funcs["asset"] = func(name string) string { return "static/" + name + "?" + sums[name] }
		parts, err := template.New("").Funcs(funcs).ParseFS(html, shared...)
		if err != nil {
			return nil, fmt.Errorf("console: %w", err)
		}
		for _, file := range files {
			if slices.Contains(shared, file) {
				continue
			}
			t, err := parts.Clone()
			if err == nil {
				t, err = t.ParseFS(html, file)
			}
			if err != nil {
				return nil, fmt.Errorf("console: %w", err)
			}
			out[lang][strings.TrimSuffix(path.Base(file), ".tmpl")] = t
		}
	}
	return out, nil
}

// complete fills in what every page has.
func (c *Console) complete(r *http.Request, v *view) {
	v.Root, v.Here = rootFor(r), cmp.Or(v.Here, strings.TrimPrefix(r.URL.RequestURI(), "/"))
	v.Name, v.Database, v.TraceURL = c.cfg.Name, c.cfg.Database, c.cfg.TraceURL
	v.Lang, v.Theme = languageOf(r), themeOf(r)
	if v.Nav == "" {
		v.Nav = v.Screen
	}
	if v.Title != "" {
		v.Title = translate(v.Lang, v.Title)
	}
	if v.Problem != "" {
		v.Problem = problemText(v.Lang, v.Problem)
	}
	v.Done = doneText(v.Lang, r.URL.Query())
	_, v.Session = c.sessions.person(r)
	v.Menu = c.menu(v.State)
}

// render answers with a page. A template that fails leaves no half of one.
func (c *Console) render(w http.ResponseWriter, r *http.Request, status int, v *view) {
	c.complete(r, v)
	part := "layout"
	if r.Header.Get("Hx-Request") != "" {
		part = "dialog"
	}
	text, err := c.execute(v, part)
	if err != nil {
		c.log.Error("outbox: a page could not be made, please report this", "page", v.Screen, "error", err)
		http.Error(w, "something is wrong with this server: its log says what", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(text) // the client has gone
}

// execute makes a part of a page.
func (c *Console) execute(v *view, part string) ([]byte, error) {
	t := c.files.pages[v.Lang][v.Screen]
	if t == nil {
		return nil, fmt.Errorf("there is no template %q", v.Screen)
	}
	if part == "dialog" && t.Lookup("dialog") == nil {
		part = "layout"
	}
	var out bytes.Buffer
	err := t.ExecuteTemplate(&out, part, v)
	return out.Bytes(), err
}

// refusal is what people may see of an error. Everything else stays in the log.
func (c *Console) refusal(r *http.Request, err error) *refusal {
	var no *refusal
	if !errors.As(err, &no) {
		c.log.Error("outbox: a page failed", "page", r.URL.Path, "error", err)
		no = &refusal{http.StatusInternalServerError, "Something is wrong with this server: its log says what."}
	}
	return no
}

// fail answers a person, or nobody who is known, with what went wrong.
func (c *Console) fail(w http.ResponseWriter, r *http.Request, p admin.Person, err error) {
	no := c.refusal(r, err)
	c.render(w, r, no.status, &view{Screen: "problem", Nav: "none", Title: "This did not work", Person: p, Problem: no.detail, NotLive: true,
		Data: problemView{no.status, r.Method == http.MethodGet && no.status >= http.StatusInternalServerError}})
}

// problemView is what went wrong, and whether the same address may do better later.
type problemView struct {
	Status int
	Again  bool
}
