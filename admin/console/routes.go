package console

import (
	"embed"
	"net/http"
	"path"
	"regexp"
	"strings"

	"github.com/sendoff-go/outbox/admin"
)

//go:embed static
var static embed.FS

// policy lets pages load what this console serves, and nothing else.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// maxForm bounds the body of a request: an edited payload may be as large as one
// that the API takes.
const maxForm = 512 << 10

func (c *Console) routes() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /static/", c.cached(http.FileServerFS(static)))
	mux.HandleFunc("GET /login", c.loginPage)
	if !c.cfg.OnlySignIn {
		mux.HandleFunc("POST /login", c.login)
	}
	if c.cfg.SignIn != nil {
		mux.HandleFunc("GET /signin", c.beginSignIn)
		mux.HandleFunc("GET /callback", c.callback)
	}
	mux.HandleFunc("POST /logout", c.logout)
	mux.HandleFunc("POST /preferences", c.prefer)
	for pattern, screen := range c.screens() {
		mux.Handle(pattern, c.screen(screen))
	}
	for pattern, do := range c.actions() {
		mux.Handle(pattern, c.action(do))
	}
	mux.HandleFunc("GET /audit.csv", c.auditCSV)
	mux.HandleFunc("/", c.nothing)
	own := http.NewCrossOriginProtection()
	own.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p, _ := c.who(r)
		c.fail(w, r, p, &refusal{http.StatusForbidden, "Requests from other web sites are refused."})
	}))
	return headers(own.Handler(http.MaxBytesHandler(c.clean(mux), maxForm)))
}

// clean refuses paths such as /events//x and /events/.., which the mux would send to
// an address that is not relative: outside of the console, if a proxy or a program
// serves it under a path.
func (c *Console) clean(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		at := r.URL.EscapedPath()
		if clean := path.Clean(at); at != clean && at != clean+"/" || at == "//" {
			c.nothing(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// headers are those of every answer.
func headers(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-store")
		next.ServeHTTP(w, r)
	})
}

// cached lets browsers keep what changes with the program only: its address has
// the hash of the content. A page of another version, of a console beside this one,
// asks for another hash, and must not keep what it gets under that address.
func (c *Console) cached(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/") { // no list of files
			http.NotFound(w, r)
			return
		}
		if sum := c.files.sums[strings.TrimPrefix(r.URL.Path, "/static/")]; sum != "" && r.URL.RawQuery == sum {
			w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
		}
		next.ServeHTTP(w, r)
	})
}

// root is the way from the page at an escaped path to the top, as a relative
// address: the console need not know under which path a proxy serves it.
func root(at string) string {
	if n := strings.Count(at, "/"); n > 1 {
		return strings.Repeat("../", n-1)
	}
	return "./"
}

var roots = regexp.MustCompile(`^(\./|(\.\./){1,9})$`)

// rootFor is the way to the top from where an answer is shown: a dialog is part of
// another page, which says where that is.
func rootFor(r *http.Request) string {
	if at := r.Header.Get("Outbox-Root"); r.Header.Get("Hx-Request") != "" && roots.MatchString(at) {
		return at
	}
	return root(r.URL.EscapedPath())
}

// nothing answers a request for a page that is not there.
func (c *Console) nothing(w http.ResponseWriter, r *http.Request) {
	p, _ := c.who(r)
	c.fail(w, r, p, &refusal{http.StatusNotFound, "There is nothing at this address."})
}

// who returns who asks, or nobody. A session comes first: the credentials of a
// request can be for a proxy in front, which passes them on. Ask once a request:
// wrong credentials count.
func (c *Console) who(r *http.Request) (admin.Person, bool) {
	if p, ok := c.sessions.person(r); ok {
		return p, true
	}
	p, err := c.auth(r)
	if err != nil || p.Name == "" || !p.Role.AtLeast(admin.Viewer) {
		return admin.Person{}, false
	}
	return p, true
}

// person finds out who asks. It answers the request itself if nobody is signed in.
func (c *Console) person(w http.ResponseWriter, r *http.Request) (admin.Person, bool) {
	p, ok := c.who(r)
	if ok {
		return p, true
	}
	if r.Method != http.MethodGet || r.Header.Get("Hx-Request") != "" || strings.Contains(r.Header.Get("Accept"), "event-stream") {
		w.Header().Set("Hx-Redirect", rootFor(r)+"login") // the page that asks goes there
		c.fail(w, r, p, &refusal{http.StatusUnauthorized, "You are not signed in, or no longer: sign in and try again."})
		return p, false
	}
	back := strings.TrimPrefix(r.URL.RequestURI(), "/")
	see(w, root(r.URL.EscapedPath())+"login?to="+escape(back))
	return p, false
}
