package console

import (
	"bytes"
	"cmp"
	"net/http"
	"strings"
	"time"
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
			c.stream(w, r, func() (*view, error) {
				v, err := load(c.caller(r.Context(), p), r)
				if v != nil {
					v.Person = p
				}
				return v, err
			})
			return
		}
		v, err := load(c.caller(r.Context(), p), r)
		if err != nil {
			c.fail(w, r, err)
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

const (
	// refresh is how often a page that somebody looks at is read anew.
	refresh = 2 * time.Second
	// maxStream ends a stream, so that whoever was signed out or changed is asked
	// again: the browser comes back.
	maxStream = 10 * time.Minute
	// maxSend is how long a browser may take to receive what has changed: one that
	// no longer reads must not keep a stream for ever.
	maxSend = 30 * time.Second
)

// stream sends the part of a page that changes whenever it has changed.
func (c *Console) stream(w http.ResponseWriter, r *http.Request, load func() (*view, error)) {
	out := http.NewResponseController(w)
	_ = out.SetReadDeadline(time.Time{}) // a server may have one that is for requests
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no")
	w.WriteHeader(http.StatusOK)
	end := time.NewTimer(maxStream)
	defer end.Stop()
	tick := time.NewTicker(refresh)
	defer tick.Stop()
	var last []byte
	for {
		send := []byte(":\n\n") // finds out whether somebody is there
		if text := c.livePart(r, load); !bytes.Equal(text, last) {
			last, send = text, message(text)
		}
		_ = out.SetWriteDeadline(time.Now().Add(maxSend)) // instead of the server's, which is for answers
		if _, err := w.Write(send); err != nil || out.Flush() != nil {
			return
		}
		select {
		case <-tick.C:
		case <-end.C:
			return
		case <-c.recorder.ended:
			return
		case <-r.Context().Done():
			return
		}
	}
}

// lineEnds are those of streams of events. What follows one is a field, so that a
// text with one of its own could end the message, or stop the stream.
var lineEnds = strings.NewReplacer("\r\n", "\ndata: ", "\r", "\ndata: ", "\n", "\ndata: ")

// message is a text as an event of a stream.
func message(text []byte) []byte {
	return []byte("data: " + lineEnds.Replace(strings.TrimRight(string(text), "\n")) + "\n\n")
}

// livePart makes the part of a page that changes.
func (c *Console) livePart(r *http.Request, load func() (*view, error)) []byte {
	v, err := load()
	if err != nil {
		v = &view{Screen: "problem", Problem: c.refusal(r, err).detail}
	}
	c.complete(r, v)
	text, err := c.execute(v, "stream")
	if err != nil {
		c.log.Error("outbox: a page could not be made, please report this", "page", v.Screen, "error", err)
		return nil
	}
	return text
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
			c.fail(w, r, &refusal{http.StatusRequestEntityTooLarge, "This form is too large, or not a form."})
			return
		}
		to, err := do(c.caller(r.Context(), p), r)
		if err != nil {
			c.fail(w, r, err)
			return
		}
		see(w, root(r.URL.EscapedPath())+strings.TrimPrefix(to, "./"))
	})
}
