package admin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"os"
	"path"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"
)

// maxBody bounds the body of a request: the ids of a call take 60 KB at most.
const maxBody = 256 << 10

type personKey struct{}

// personOf returns who sends the request. The guard has put it there.
func personOf(ctx context.Context) Person {
	p, _ := ctx.Value(personKey{}).(Person)
	return p
}

// guard lets a request through if it is authenticated, comes from this site and
// is within the limits.
func (a *api) guard(mux *http.ServeMux) http.Handler {
	own := http.NewCrossOriginProtection()
	own.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		refuse(w, http.StatusForbidden, "requests from other web sites are refused")
	}))
	return own.Handler(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		w := &begun{ResponseWriter: rw}
		h := w.Header()
		h.Set("Cache-Control", "no-store")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
		defer a.recovered(w)
		p, ok := a.person(w, r)
		if !ok || !a.enter(w) {
			return
		}
		defer func() { <-a.places }()
		if err := checkQuery(r.URL); err != nil {
			refuse(w, http.StatusUnprocessableEntity, err.Error())
			return
		}
		if at := r.URL.EscapedPath(); path.Clean(at) != at { // the mux would send a page with a redirect
			refuse(w, http.StatusNotFound, nothing)
			return
		}
		if _, pattern := mux.Handler(r); pattern == "" {
			unknown(w, r, mux)
			return
		}
		if r.ContentLength != 0 && r.Header.Get("Content-Type") == "" { // huma would take it for JSON
			refuse(w, http.StatusUnsupportedMediaType, "the body has no Content-Type: send application/json")
			return
		}
		if !read(w, r) {
			return
		}
		mux.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), personKey{}, p)))
	}))
}

// maxRead is how long the body of a request may take to arrive.
const maxRead = 10 * time.Second

// read reads the body of a request. It answers the request itself if that must not
// go on.
func read(w http.ResponseWriter, r *http.Request) bool {
	limit := http.NewResponseController(w)
	_ = limit.SetReadDeadline(time.Now().Add(maxRead)) // a console in this process has no connection
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	err := strict(r)
	_ = limit.SetReadDeadline(time.Time{}) // it would end the context of this request, and of all others on its connection
	switch {
	case err == nil:
		return true
	case errors.As(err, new(*http.MaxBytesError)):
		refuse(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("the body has more than %d bytes", maxBody))
	case errors.Is(err, os.ErrDeadlineExceeded):
		refuse(w, http.StatusRequestTimeout, fmt.Sprintf("the body did not arrive within %s", maxRead))
	default:
		refuse(w, http.StatusUnprocessableEntity, err.Error())
	}
	return false
}

// unknown answers a request that fits no operation: with the status and the
// header Allow of the mux, but as a problem.
func unknown(w http.ResponseWriter, r *http.Request, mux *http.ServeMux) {
	a := &refusal{header: http.Header{}}
	mux.ServeHTTP(a, r)
	if allow := a.header.Get("Allow"); allow != "" {
		w.Header().Set("Allow", allow)
		refuse(w, http.StatusMethodNotAllowed, "this path takes "+allow)
		return
	}
	refuse(w, http.StatusNotFound, nothing)
}

const nothing = "there is nothing here: /api/openapi.json says what there is"

// refusal keeps the header of an answer and drops the rest.
type refusal struct{ header http.Header }

func (a *refusal) Header() http.Header            { return a.header }
func (a *refusal) WriteHeader(int)                {}
func (a *refusal) Write(text []byte) (int, error) { return len(text), nil }

// person finds out who sends the request. It answers the request itself if that
// must not go on.
func (a *api) person(w http.ResponseWriter, r *http.Request) (Person, bool) {
	p, err := a.Auth(r)
	var blocked *BlockedError
	switch {
	case errors.As(err, &blocked):
		tooMany(w, blocked.RetryAfter, "too many wrong credentials came from your address: try again later")
		return p, false
	case errors.Is(err, ErrUnauthenticated):
		if wait := a.strangers.take(addressOf(r, a.TrustedProxies)); wait > 0 {
			tooMany(w, wait, tooFast)
			return p, false
		}
		w.Header().Set("WWW-Authenticate", `Bearer, Basic realm="outbox", charset="UTF-8"`)
		refuse(w, http.StatusUnauthorized, "send a bearer token, or a user and a password, that this server knows")
		return p, false
	case err != nil:
		a.Logger.Error("outbox: credentials could not be checked", "error", err)
		w.Header().Set("Retry-After", "5")
		refuse(w, http.StatusServiceUnavailable, "your credentials cannot be checked now: try again later")
		return p, false
	case p.Name == "" || p.Role.rank() == 0:
		a.Logger.Warn("outbox: authentication returned no name or no role", "name", p.Name, "role", p.Role)
		refuse(w, http.StatusForbidden, "you have no role here")
		return p, false
	}
	if wait := a.people.take(p.Name); wait > 0 {
		tooMany(w, wait, tooFast)
		return p, false
	}
	return p, true
}

const tooFast = "too many requests: send fewer a second"

func tooMany(w http.ResponseWriter, wait time.Duration, detail string) {
	w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(wait.Seconds()))))
	refuse(w, http.StatusTooManyRequests, detail)
}

// enter takes a place among the requests that are being served. It answers the
// request itself if none is free.
func (a *api) enter(w http.ResponseWriter) bool {
	select {
	case a.places <- struct{}{}:
		return true
	default:
		w.Header().Set("Retry-After", "1")
		refuse(w, http.StatusServiceUnavailable, "too many requests are being served: try again later")
		return false
	}
}

// recovered answers a request whose handler panicked.
func (a *api) recovered(w *begun) {
	v := recover()
	if v == nil {
		return
	}
	if v == http.ErrAbortHandler { //nolint:errorlint // net/http compares it the same way
		panic(v)
	}
	a.Logger.Error("outbox: a request panicked, please report this", "panic", fmt.Sprint(v), "stack", string(debug.Stack()))
	if w.yes {
		panic(http.ErrAbortHandler) // the client must not take half an answer for a whole one
	}
	refuse(w, http.StatusInternalServerError, "something is wrong with this server: its log says what")
}

// begun knows whether an answer has begun.
type begun struct {
	http.ResponseWriter
	yes bool
}

func (b *begun) WriteHeader(status int) {
	b.yes = true
	b.ResponseWriter.WriteHeader(status)
}

func (b *begun) Write(text []byte) (int, error) {
	b.yes = true
	return b.ResponseWriter.Write(text)
}

// Unwrap is for [http.ResponseController].
func (b *begun) Unwrap() http.ResponseWriter { return b.ResponseWriter }

// refuse answers with a problem.
func refuse(w http.ResponseWriter, status int, detail string) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(&huma.ErrorModel{Title: http.StatusText(status), Status: status, Detail: detail}) // the client has gone
}
