package admin_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"
)

// timed is an answer on a connection that can have a deadline for reading, and
// keeps the one in force when the answer begins.
type timed struct {
	*httptest.ResponseRecorder
	deadline, reading, answering time.Time
}

func (w *timed) SetReadDeadline(at time.Time) error { w.deadline = at; return nil }

func (w *timed) WriteHeader(status int) {
	w.answering = w.deadline
	w.ResponseRecorder.WriteHeader(status)
}

// body is one that says which deadline it is read under.
type body struct {
	io.Reader
	w *timed
}

func (b body) Read(text []byte) (int, error) {
	b.w.reading = b.w.deadline
	return b.Reader.Read(text)
}

func ask(r *rig, method, path string, text io.Reader) *timed {
	w := &timed{ResponseRecorder: httptest.NewRecorder()}
	req := httptest.NewRequest(method, path, body{text, w})
	req.Header.Set("Authorization", "Bearer admin")
	req.Header.Set("Content-Type", "application/json")
	r.handler.ServeHTTP(w, req)
	return w
}

// net/http ends the context of a request when a deadline for reading passes, even if
// it was read long ago, and those of later requests on that connection with it.
func TestOnlyReadingARequestHasADeadline(t *testing.T) {
	r := newRig(t)
	before := time.Now()
	for _, c := range []struct{ method, path, text string }{
		{http.MethodPost, "/api/v1/pause", `{"types":["A"]}`},
		{http.MethodPost, "/api/v1/pause", `{"nonsense":true}`},
		{http.MethodPatch, "/api/outbox-dlq/events/1", `{"status":"TO_RETRY"}`},
		{http.MethodGet, "/api/v1/events", ""},
	} {
		w := ask(r, c.method, c.path, strings.NewReader(c.text))
		if in := w.reading.Sub(before); in < 0 || in > time.Minute {
			t.Errorf("%s %s: the body is read under the deadline %v", c.method, c.path, w.reading)
		}
		if !w.answering.IsZero() {
			t.Errorf("%s %s: status %d, and the deadline for reading is still in force", c.method, c.path, w.Code)
		}
	}
}

// late is a body that does not arrive in time.
type late struct{}

func (late) Read([]byte) (int, error) { return 0, os.ErrDeadlineExceeded }

func TestABodyThatDoesNotArriveIsRefused(t *testing.T) {
	w := ask(newRig(t), http.MethodPost, "/api/v1/pause", late{})
	if w.Code != http.StatusRequestTimeout || !strings.Contains(w.Body.String(), "did not arrive within 10s") {
		t.Errorf("status %d: %s", w.Code, w.Body)
	}
}
