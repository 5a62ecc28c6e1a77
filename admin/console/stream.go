package console

import (
	"bytes"
	"net/http"
	"strings"
	"time"

	"github.com/sendoff-go/outbox/admin"
)

const (
	// refresh is how often a page that somebody looks at is read anew.
	refresh = 2 * time.Second
	// maxStream ends a stream, so that whoever was signed out or changed is asked
	// again, also in another process: the browser comes back with what it has now.
	maxStream = 30 * time.Second
	// maxSend is how long a browser may take to receive what has changed: one that
	// no longer reads must not keep a stream for ever.
	maxSend = 30 * time.Second
)

// stream sends the part of a page that changes whenever it has changed, as long as
// the session lasts that asks for it.
func (c *Console) stream(w http.ResponseWriter, r *http.Request, p admin.Person, load func() (*view, error)) {
	v, err := load()
	if err == nil && (v.NotLive || v.To != "") {
		c.fail(w, r, p, &refusal{http.StatusNotFound, "This page does not change: load it anew to see what is there."})
		return
	}
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
		if text := c.livePart(r, p, v, err); !bytes.Equal(text, last) {
			last, send = text, message(text)
		}
		_ = out.SetWriteDeadline(time.Now().Add(maxSend)) // instead of the server's, which is for answers
		if _, err := w.Write(send); err != nil || out.Flush() != nil {
			return
		}
		if !c.due(r, tick.C, end.C) {
			return
		}
		v, err = load()
	}
}

// due waits for the next tick of a stream. It reports false when the stream is over.
func (c *Console) due(r *http.Request, tick, end <-chan time.Time) bool {
	for {
		over, another := c.sessions.signedOut(r)
		if over {
			return false
		}
		select {
		case <-tick:
			return true
		case <-another: // perhaps this one
		case <-end:
			return false
		case <-c.recorder.ended:
			return false
		case <-r.Context().Done():
			return false
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

// section is the entry of the menu that a page that changes belongs to.
func section(path string) string {
	switch first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/"); first {
	case "", "timeline":
		return "overview"
	case "dead-letters":
		return "letters"
	default:
		return first
	}
}

// livePart makes the part of a page that changes.
func (c *Console) livePart(r *http.Request, p admin.Person, v *view, err error) []byte {
	if err != nil {
		no := c.refusal(r, err)
		v = &view{Screen: "problem", Nav: section(r.URL.Path), Problem: no.detail, Data: problemView{no.status, no.status >= http.StatusInternalServerError}}
	}
	v.Person = p
	c.complete(r, v)
	text, err := c.execute(v, "stream")
	if err != nil {
		c.log.Error("outbox: a page could not be made, please report this", "page", v.Screen, "error", err)
		return nil
	}
	return text
}
