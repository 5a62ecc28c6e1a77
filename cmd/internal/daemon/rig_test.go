package daemon

import (
	"bytes"
	"context"
	"database/sql"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/sendoff-go/outbox/cmd/internal/daemon/config"
	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/internal/await"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var drivers = []dburl.Driver{dburl.PGX(), dburl.MySQL(), dburl.SQLite()}

// hook is a webhook that counts what it gets by event id.
type hook struct {
	*httptest.Server
	mu    sync.Mutex
	ids   map[string]int
	paths map[string]int
	reply func(r *http.Request) int
}

func newHook(t *testing.T) *hook {
	t.Helper()
	h := &hook{ids: map[string]int{}, paths: map[string]int{}}
	h.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		code := http.StatusOK
		if h.reply != nil {
			code = h.reply(r)
		}
		h.mu.Lock()
		if r.Method == http.MethodPost && code == http.StatusOK {
			h.ids[r.Header.Get("ce-id")]++
			h.paths[r.URL.Path]++
		}
		h.mu.Unlock()
		w.WriteHeader(code)
	}))
	t.Cleanup(h.Close)
	return h
}

func (h *hook) got() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.ids)
}

func (h *hook) at(path string) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.paths[path]
}

// logs is a log that can be read while it is written.
type logs struct {
	mu  sync.Mutex
	out bytes.Buffer
}

func (l *logs) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.out.Write(p)
}

func (l *logs) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.out.String()
}

// rig is a daemon on a SQLite file.
type rig struct {
	t     *testing.T
	file  string
	url   string
	notes []string
	log   *logs
	d     *Daemon
}

// load makes a daemon of a configuration that may leave out the database.
func load(t *testing.T, file, content string, env ...string) *rig {
	t.Helper()
	r := &rig{t: t, file: file, log: &logs{}}
	r.url = "sqlite://" + filepath.ToSlash(file)
	c, notes, err := config.Read("outbox.yaml", []byte(content), append(env, "OUTBOX_DATABASE_URL="+r.url))
	if err != nil {
		t.Fatal(err)
	}
	r.notes = notes
	unhurried(c)
	r.d, err = New(c, Options{Drivers: drivers, Database: patient, Logger: slog.New(slog.NewTextHandler(r.log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// patient waits for a machine that stands still.
var patient = dburl.Options{ConnectTimeout: patience, StatementTimeout: time.Minute}

// patience is how long something may take that must come.
const patience = 3 * time.Minute

// unhurried makes the limits that no test here is about long enough for the
// same, if they are not set.
func unhurried(c *config.Config) {
	for key, limit := range map[string]*config.Duration{
		"lease": &c.Lease, "drain-timeout": &c.DrainTimeout, "publisher.sender.request-timeout": &c.Publisher.Sender.RequestTimeout,
	} {
		if !c.Was(key) {
			*limit = config.Duration(time.Minute)
		}
	}
	for _, s := range c.Publisher.Senders {
		s.RequestTimeout = config.Duration(time.Minute)
	}
}

func newFile(t *testing.T) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "shop.db")
}

// run runs the daemon until stop is called, which returns what it returned.
func (r *rig) run() (stop func() error) {
	r.t.Helper()
	stop = r.start()
	r.until("it runs", func() bool { return strings.Contains(r.log.String(), "delivering") || !r.d.config.Publisher.Enabled })
	return stop
}

// start is run for one that may have to wait.
func (r *rig) start() (stop func() error) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- r.d.Run(ctx) }()
	var once sync.Once
	var err error
	stop = func() error {
		once.Do(func() { cancel(); err = <-done })
		return err
	}
	r.t.Cleanup(func() { _ = stop() })
	return stop
}

// until waits for what must come.
func (r *rig) until(what string, ok func() bool) {
	r.t.Helper()
	await.Within(r.t, patience, what, ok, r.log.String)
}

// do runs statements on the file, as another program would.
func (r *rig) do(query string, args ...any) {
	r.t.Helper()
	db := openFile(r.t, r.file)
	defer func() { _ = db.Close() }()
	if _, err := db.Exec(query, args...); err != nil {
		r.t.Fatal(err)
	}
}

// count is the number that a query answers.
func (r *rig) count(query string) (n int) {
	r.t.Helper()
	db := openFile(r.t, r.file)
	defer func() { _ = db.Close() }()
	if err := db.QueryRow(query).Scan(&n); err != nil {
		r.t.Fatal(err)
	}
	return n
}

func openFile(t *testing.T, file string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+file+"?_pragma=busy_timeout(60000)")
	if err != nil {
		t.Fatal(err)
	}
	return db
}

func (r *rig) insert(eventType string, n int) {
	r.t.Helper()
	rows := strings.TrimSuffix(strings.Repeat("(?1, '{}'),", n), ",")
	r.do("INSERT INTO outbox_event (event_type, payload) VALUES "+rows, eventType)
}

// once runs one round on tables that may not exist yet.
func (r *rig) once() string {
	r.t.Helper()
	rep, err := r.d.Once(r.t.Context())
	if err != nil {
		r.t.Fatalf("%v\n%s", err, r.log)
	}
	return strings.Trim(strings.Join([]string{plural(rep.Delivered, "delivered"), plural(rep.Retried, "retried"), plural(rep.Dead, "dead"), plural(rep.Released, "released")}, ""), " ")
}

func plural(n int, what string) string {
	if n == 0 {
		return ""
	}
	return string(rune('0'+n)) + " " + what + " "
}
