package console

import (
	"cmp"
	"net/http"
	"strings"
)

// load reads what a page shows.
type load func(k *caller, r *http.Request) (*view, error)

// screen serves a page, or as a stream the part of it that changes.
func (c *Console) screen(load load) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p, ok := c.person(w, r)
		if !ok {
			return
		}
		// A form is carried out once.
		if r.Method == http.MethodGet && strings.Contains(r.Header.Get("Accept"), "text/event-stream") && r.URL.Query().Has("live") {
			c.stream(w, r, p, func() (*view, error) { return load(c.watcher(r.Context(), p), r) })
			return
		}
		v, err := load(c.caller(r.Context(), p), r)
		if err != nil {
			c.fail(w, r, p, err)
			return
		}
		if v.To != "" {
			see(w, root(r.URL.EscapedPath())+strings.TrimPrefix(v.To, "./"))
			return
		}
		v.Person = p
		c.render(w, r, cmp.Or(v.Status, http.StatusOK), v)
	})
}

// do carries out what a form asks for, and returns where to go on, relative to the
// top.
type do func(k *caller, r *http.Request) (to string, err error)

// action serves a form.
func (c *Console) action(do do) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p, ok := c.person(w, r)
		if !ok {
			return
		}
		if err := r.ParseForm(); err != nil {
			c.fail(w, r, p, &refusal{http.StatusRequestEntityTooLarge, "This form is too large, or not a form."})
			return
		}
		to, err := do(c.caller(r.Context(), p), r)
		if err != nil {
			c.fail(w, r, p, err)
			return
		}
		see(w, root(r.URL.EscapedPath())+strings.TrimPrefix(to, "./"))
	})
}
