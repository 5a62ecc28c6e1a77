package console_test

import (
	"bufio"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/admin/console"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/memstore"
)

// watch asks for the stream of a page.
func (r *letterRig) watch(method, path, body string) *http.Response {
	r.t.Helper()
	req, err := http.NewRequestWithContext(r.t.Context(), method, r.server.URL+"/x/console/"+path, strings.NewReader(body))
	if err != nil {
		r.t.Fatal(err)
	}
	req.Header.Set("Accept", "text/event-stream")
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Authorization", "Bearer operator")
	a, err := r.client.Do(req)
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { _ = a.Body.Close() })
	return a
}

func TestTextsCannotPutFieldsIntoAStream(t *testing.T) {
	r := newLetterRig(t)
	id := r.kill("order-placed", "first\revent: hx:release\rretry: 99999999\r\rlast\r\nid: 7", 1)[0]
	in := bufio.NewReader(r.watch(http.MethodGet, "dead-letters/one?id="+id+"&live", "").Body)
	var text string
	for !strings.Contains(text, `href="../about"`) { // the end of the menu, which is the last
		line, err := in.ReadString('\n')
		if err != nil {
			t.Fatalf("%v after %s", err, text)
		}
		text += line
	}
	for _, line := range regexp.MustCompile("\r\n|\r|\n").Split(strings.TrimSuffix(text, "\n"), -1) { // as browsers do
		if !strings.HasPrefix(line, "data: ") {
			t.Errorf("the stream has the line %q", line)
		}
	}
	r.has("the stream", text, "data: event: hx:release\n", "data: \n", "data: id: 7")
}

// away is a store whose database does not answer.
type away struct{ *memstore.Store }

var errAway = errors.New("connection refused")

func (away) Stats(context.Context) (driver.Stats, error) { return driver.Stats{}, errAway }

func (away) ListGroups(context.Context, driver.GroupFilter, *driver.GroupCursor, int) ([]driver.DeadGroup, *driver.GroupCursor, error) {
	return nil, nil, errAway
}

func TestAPageWhoseDatabaseIsAwaySaysThatItTriesAgain(t *testing.T) {
	r := newLetterRig(t, func(c *console.Config) { c.API.Store = away{memstore.New(memstore.Config{})} })
	for page, entry := range map[string]string{"?live": `data-key="o"`, "types?live": `data-key="t"`, "dead-letters?live": `data-key="d"`} {
		in := bufio.NewReader(r.watch(http.MethodGet, page, "").Body)
		text := ""
		for !strings.Contains(text, "/about\"") {
			line, err := in.ReadString('\n')
			if err != nil {
				t.Fatalf("%v after %s", err, text)
			}
			text += line
		}
		r.has(page, text, "This page tries again by itself. If it goes on, see whether the database answers", entry+` aria-current="page"`)
		r.hasNot(page, text, "connection refused")
	}
}

func TestAFormIsNoStream(t *testing.T) {
	r := newLetterRig(t)
	id := r.kill("order-placed", "no", 1)[0]
	form := url.Values{"action": {"retry"}, "id": {id}}
	if a := r.watch(http.MethodPost, "dead-letters/act?live", form.Encode()); a.StatusCode != http.StatusSeeOther {
		t.Errorf("the answer is %s, %s", a.Status, a.Header.Get("Content-Type"))
	}
	r.want("1 wait, 0 open, 0 resolved")
}

// stuck is the connection of a browser that does not read.
type stuck struct {
	*httptest.ResponseRecorder
	deadline time.Time
}

func (s *stuck) SetReadDeadline(time.Time) error     { return nil }
func (s *stuck) SetWriteDeadline(at time.Time) error { s.deadline = at; return nil }

func (s *stuck) Write([]byte) (int, error) {
	if s.deadline.IsZero() {
		select {} // as TCP does
	}
	<-time.After(time.Until(s.deadline))
	return 0, os.ErrDeadlineExceeded
}

func TestAStreamEndsWhenNobodyReadsIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := guarded(t)
		r := httptest.NewRequest(http.MethodGet, "/types?live", nil)
		r.Header.Set("Accept", "text/event-stream")
		r.Header.Set("Authorization", "Bearer token-of-"+string(admin.Viewer))
		began := time.Now()
		c.ServeHTTP(&stuck{ResponseRecorder: httptest.NewRecorder()}, r)
		if took := time.Since(began); took > time.Minute {
			t.Errorf("it ended after %s", took)
		}
	})
}
