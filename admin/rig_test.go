package admin_test

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/memkit"
	"github.com/sendoff-go/outbox/store/memstore"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// rig is a handler on a store in memory, with a token for each role, which is
// named like it.
type rig struct {
	t       *testing.T
	store   *memstore.Store
	handler http.Handler
	log     *strings.Builder
}

func newRig(t *testing.T, change ...func(*admin.Config)) *rig {
	t.Helper()
	r := &rig{t: t, store: memstore.New(memstore.Config{}), log: &strings.Builder{}}
	tokens, err := admin.Tokens(
		admin.Token{Name: "vera", Role: admin.Viewer, SHA256: admin.Sum("viewer")},
		admin.Token{Name: "olga", Role: admin.Operator, SHA256: admin.Sum("operator")},
		admin.Token{Name: "anna", Role: admin.Admin, SHA256: admin.Sum("admin")})
	if err != nil {
		t.Fatal(err)
	}
	c := admin.Config{Store: r.store, Auth: tokens, Rate: 1_000_000, FailedLogins: 1_000_000, Logger: slog.New(slog.NewTextHandler(r.log, nil))}
	for _, f := range change {
		f(&c)
	}
	if r.handler, err = admin.New(c); err != nil {
		t.Fatal(err)
	}
	return r
}

// answer is what a request was answered.
type answer struct {
	status int
	header http.Header
	text   string
}

// send sends a request with the token of a role, and with a body unless that is
// empty.
func (r *rig) send(role admin.Role, method, path, body string, change ...func(*http.Request)) answer {
	r.t.Helper()
	req := httptest.NewRequest(method, path, strings.NewReader(body))
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	if role != "" {
		req.Header.Set("Authorization", "Bearer "+string(role))
	}
	for _, f := range change {
		f(req)
	}
	w := httptest.NewRecorder()
	r.handler.ServeHTTP(w, req)
	text, err := io.ReadAll(w.Result().Body)
	if err != nil {
		r.t.Fatal(err)
	}
	return answer{w.Code, w.Result().Header, string(text)}
}

// want fails the test unless the request has that status, and decodes the answer
// into v unless that is nil.
func (r *rig) want(status int, a answer, v any) {
	r.t.Helper()
	if a.status != status {
		r.t.Fatalf("status %d, want %d: %s", a.status, status, a.text)
	}
	if v != nil {
		if err := json.Unmarshal([]byte(a.text), v); err != nil {
			r.t.Fatalf("%v: %s", err, a.text)
		}
	}
}

// kill writes n events that die for a reason, and returns their ids.
func (r *rig) kill(eventType, reason string, n int) (ids []string) {
	r.t.Helper()
	return r.fail(eventType, n, driver.Failure{Took: time.Second, Attempt: 1, Error: reason})
}

// fail does so with a failure as their history.
func (r *rig) fail(eventType string, n int, f driver.Failure) []string {
	r.t.Helper()
	es := make([]outbox.Event, n)
	for i := range es {
		es[i] = outbox.Event{Type: eventType, JSON: fmt.Appendf(nil, `{"n":%d}`, i), Headers: map[string]string{"secret": "4711"}}
	}
	ids := memkit.Write(r.t, r.store, es...)
	f.At, f.Owner = time.Now(), driver.NewOwner("a")
	memkit.Settle(r.t, r.store, eventType, driver.Outcome{Kind: driver.Dead, Attempts: 3, Error: f.Error, Failures: driver.AppendFailure(nil, f)}, true)
	return ids
}

// waiting is how many events wait.
func (r *rig) waiting() int64 {
	r.t.Helper()
	s, err := r.store.Stats(r.t.Context())
	if err != nil {
		r.t.Fatal(err)
	}
	return s.Waiting.N
}

func ids(list []string) string {
	text, _ := json.Marshal(list) // strings can be encoded
	return string(text)
}
