package httpsink

import (
	"cmp"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
)

const (
	secret   = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	patience = time.Minute
)

// receiver is a server that keeps what is posted to /hook. A test can change
// its answers.
type receiver struct {
	*httptest.Server
	mu     sync.Mutex
	got    []outbox.Received
	more   chan struct{}
	verify bool
	answer func(w http.ResponseWriter, r *http.Request, m outbox.Received) bool // false: as usual
}

func newReceiver(t testing.TB) *receiver {
	t.Helper()
	rc := &receiver{more: make(chan struct{}, 1)}
	rc.Server = httptest.NewServer(rc)
	t.Cleanup(rc.Close)
	return rc
}

func (rc *receiver) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m, err := Message(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
		return
	}
	if rc.verify && r.Method == http.MethodPost {
		if err := Verify(secret, r); err != nil {
			http.Error(w, err.Error(), http.StatusUnauthorized)
			return
		}
	}
	rc.mu.Lock()
	answer := rc.answer
	rc.mu.Unlock()
	if answer != nil && answer(w, r, m) {
		return
	}
	switch {
	case r.URL.Path != "/hook":
		http.NotFound(w, r)
	case r.Method != http.MethodPost:
		w.WriteHeader(http.StatusMethodNotAllowed)
	default:
		rc.keep(m)
		w.WriteHeader(http.StatusNoContent)
	}
}

func (rc *receiver) keep(m outbox.Received) {
	rc.mu.Lock()
	rc.got = append(rc.got, m)
	rc.mu.Unlock()
	select {
	case rc.more <- struct{}{}:
	default:
	}
}

func (rc *receiver) answers(f func(w http.ResponseWriter, r *http.Request, m outbox.Received) bool) {
	rc.mu.Lock()
	defer rc.mu.Unlock()
	rc.answer = f
}

// received returns everything that arrived, once there are n messages or wait
// is over.
func (rc *receiver) received(n int, wait time.Duration) []outbox.Received {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	for {
		rc.mu.Lock()
		got := rc.got[:len(rc.got):len(rc.got)]
		rc.mu.Unlock()
		if len(got) >= n {
			return got
		}
		select {
		case <-rc.more:
		case <-timer.C:
			return got
		}
	}
}

func (rc *receiver) host(t testing.TB) string {
	t.Helper()
	u, err := url.Parse(rc.URL)
	if err != nil {
		t.Fatal(err)
	}
	return u.Host
}

// open opens a sink and closes it with the test. A sink without a limit of its own
// gets one that is longer than a busy machine stands still.
func open(t testing.TB, cfg Config) *Sink {
	t.Helper()
	cfg.Timeout = cmp.Or(cfg.Timeout, patience)
	s, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// message returns what a route without options makes of an event.
func message(key string) outbox.Message {
	e := outbox.Event{Type: "OrderPlaced", JSON: []byte(`{"n":1}`)}
	e.ID, e.AggregateID = outbox.NewID(), key
	return outbox.Message{Event: e, Destination: e.Type, Key: key, Headers: map[string]string{
		outbox.HeaderEventID: e.ID, outbox.HeaderEventType: e.Type,
	}}
}
