package daemon

import (
	"net/http"
	"net/http/pprof"

	"github.com/sendoff-go/outbox/admin"
)

// profiling adds the profiles of this process to a mux, for the role admin. The
// command line is not among them: it may have a secret in it.
func (d *Daemon) profiling(mux *http.ServeMux) {
	if !d.config.Admin.Profiling || d.whoever == nil { // nobody would be authenticated
		return
	}
	for path, serve := range map[string]http.HandlerFunc{
		"/debug/pprof/":        pprof.Index,
		"/debug/pprof/profile": pprof.Profile,
		"/debug/pprof/symbol":  pprof.Symbol,
		"/debug/pprof/trace":   pprof.Trace,
	} {
		mux.Handle("GET "+path, d.known(admin.Admin, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			h := w.Header()
			h.Set("Cache-Control", "no-store")
			h.Set("X-Content-Type-Options", "nosniff")
			h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
			serve(w, r)
		})))
	}
	mux.Handle("GET /debug/pprof/cmdline", d.known(admin.Admin, http.NotFoundHandler()))
}
