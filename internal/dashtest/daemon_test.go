package dashtest

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	_ "modernc.org/sqlite"
)

// top is the root of the repository.
const top = "../.."

// daemon is a running outbox relay.
type daemon struct {
	t   *testing.T
	db  *sql.DB
	log output
}

// output is what a program says. It is safe for concurrent use.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// config has one event type that is delivered, one that is refused for good, one
// that is tried again and again, and one that waits for a server that is down.
const config = `
outbox:
  database: {url: "sqlite://%[1]s"}
  admin: {addr: "127.0.0.1:0"}
  publisher:
    sender: {type: http, url: "%[2]s/ok"}
    senders:
      refusing: {type: http, url: "%[2]s/refuse"}
      failing: {type: http, url: "%[2]s/fail"}
      down: {type: http, url: "http://127.0.0.1:1/down"}
    events:
      OrderPlaced: {}
      OrderRefused: {sender: refusing}
      OrderFailed: {sender: failing}
      OrderLate: {sender: down}
    metrics: {gauge: {enabled: true, cache: {ttls: [1s, 1s, 1s]}}}
    dlq: {enabled: true, metrics: {gauge: {enabled: true, cache: {ttls: [1s, 1s, 1s]}}}}
`

// startDaemon builds the program and runs it until the test ends.
func startDaemon(t *testing.T) *daemon {
	t.Helper()
	dir := t.TempDir()
	exe, file := filepath.Join(dir, "outbox"), filepath.Join(dir, "shop.db")
	command(t, "go", "build", "-buildvcs=false", "-o", exe, "./cmd/outbox")
	command(t, exe, "migrate", "up", "--database", "sqlite://"+file)
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/refuse":
			w.WriteHeader(http.StatusBadRequest)
		case "/fail":
			w.WriteHeader(http.StatusInternalServerError)
		}
	}))
	t.Cleanup(receiver.Close)
	settings := filepath.Join(dir, "outbox.yaml")
	d := &daemon{t: t}
	if err := os.WriteFile(settings, fmt.Appendf(nil, config, file, receiver.URL), 0o600); err != nil {
		t.Fatal(err)
	}
	// The daemon may stand still within a transaction, as long as a busy machine does.
	db, err := sql.Open("sqlite", file+"?_pragma=busy_timeout(120000)")
	if err != nil {
		t.Fatal(err)
	}
	d.db = db
	ctx, stop := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, exe, "relay", "--config", settings)
	cmd.Stdout, cmd.Stderr = &d.log, &d.log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stop()
		_ = cmd.Wait() // it was killed
		_ = db.Close() // the test has its result
		if t.Failed() {
			t.Log(d.log.String())
		}
	})
	return d
}

func command(t *testing.T, name string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = top
	cmd.Env = append(os.Environ(), "GOWORK=")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}

// exec changes the database, as another program does.
func (d *daemon) exec(statement string, args ...any) {
	d.t.Helper()
	if _, err := d.db.ExecContext(d.t.Context(), statement, args...); err != nil {
		d.t.Fatal(err)
	}
}

// write writes n events.
func (d *daemon) write(eventType string, n int) {
	d.t.Helper()
	for i := range n {
		d.exec(`INSERT INTO outbox_event (event_id, event_type, payload) VALUES (?, ?, '{"n":1}')`, fmt.Sprintf("%s-%d-%d", eventType, time.Now().UnixNano(), i), eventType)
	}
}

// scrape waits until the metrics have a line that satisfies each of these
// conditions, and returns them.
func (d *daemon) scrape(conditions ...func(line string) bool) string {
	d.t.Helper()
	deadline, tick := time.NewTimer(time.Minute), time.NewTicker(100*time.Millisecond)
	defer deadline.Stop()
	defer tick.Stop()
	text := ""
	for {
		if text = d.get(); text != "" && satisfied(text, conditions) {
			return text
		}
		select {
		case <-tick.C:
		case <-deadline.C:
			d.t.Fatalf("the metrics never became what they should be:\n%s", text)
		}
	}
}

func satisfied(text string, conditions []func(line string) bool) bool {
	for _, c := range conditions {
		met := false
		for line := range strings.Lines(text) {
			met = met || c(strings.TrimSpace(line))
		}
		if !met {
			return false
		}
	}
	return true
}

// address is in the line that says where the daemon serves its metrics.
var address = regexp.MustCompile(`and /metrics" addr=(\S+)`)

// get returns the metrics, or nothing while the daemon starts.
func (d *daemon) get() string {
	d.t.Helper()
	at := address.FindStringSubmatch(d.log.String())
	if at == nil {
		return ""
	}
	r, err := http.NewRequestWithContext(d.t.Context(), http.MethodGet, "http://"+at[1]+"/metrics", nil)
	if err != nil {
		d.t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return ""
	}
	defer func() { _ = answer.Body.Close() }() // it was only read
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		return ""
	}
	return string(text)
}
