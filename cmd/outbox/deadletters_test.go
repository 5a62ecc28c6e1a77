//go:build !race

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/await"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/job"
	"github.com/sendoff-go/outbox/relay"
)

// ward is an outbox whose listeners fail for three reasons, until the first is
// mended.
type ward struct {
	t         *testing.T
	address   string
	db        *dburl.Handle
	mended    atomic.Bool
	delivered atomic.Int64
}

// perType is how many events of each of the five types are written.
const perType = 2000

// The reasons, by type. Each event has its own text.
var reasons = map[string]string{
	"order-placed": "gateway refused order %s", "order-paid": "gateway refused order %s",
	"customer-moved": "no such customer: %s", "customer-left": "no such customer: %s",
	"invoice-sent": "invalid amount in %s",
}

func newWard(t *testing.T, server string) *ward {
	t.Helper()
	w := &ward{t: t, address: testenv.Database(t, server)}
	db, err := dburl.Open(t.Context(), drivers, w.address, dburl.Options{Create: true, ConnectTimeout: time.Minute, StatementTimeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	if err := db.Schema.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.db = db
	reg := outbox.NewRegistry()
	for eventType, reason := range reasons {
		reg.Handle(eventType, func(_ context.Context, e outbox.Event) error {
			if w.mended.Load() && strings.HasPrefix(reason, "gateway") {
				w.delivered.Add(1)
				return nil
			}
			return outbox.Permanent(fmt.Errorf(reason, e.ID))
		})
	}
	r, err := relay.New(db.Store, reg, relay.Config{
		Lease: 5 * time.Minute, DrainTimeout: 5 * time.Minute, Lane: relay.LaneConfig{Batch: 500, Interval: 200 * time.Millisecond},
		Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- r.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return w
}

// fill writes the events, and waits until all are dead.
func (w *ward) fill() {
	w.t.Helper()
	w.mended.Store(false)
	w.delivered.Store(0)
	for eventType := range reasons {
		rows := strings.TrimSuffix(strings.Repeat("('"+eventType+"', '{}'),", perType), ",")
		if err := w.db.Exec(w.t.Context(), "INSERT INTO "+w.db.Table("outbox_event")+" (event_type, payload) VALUES "+rows); err != nil {
			w.t.Fatal(err)
		}
	}
	w.until("all are dead", func() bool {
		return w.count("gateway", false) == 2*perType && w.count("customer", false) == 2*perType && w.count("amount", false) == perType
	})
	w.until("all are in a group", func() bool {
		ls, _, err := w.db.Store.ListDead(w.t.Context(), driver.DeadFilter{}, nil, len(reasons)*perType)
		return err == nil && !slices.ContainsFunc(ls, func(l driver.DeadLetter) bool { return l.Group == "" })
	})
	w.mended.Store(true)
}

func (w *ward) until(what string, ok func() bool) {
	w.t.Helper()
	await.Within(w.t, 5*time.Minute, what, ok, nil)
}

func (w *ward) count(reason string, resolved bool) int64 {
	w.t.Helper()
	n, err := w.db.Store.CountDead(w.t.Context(), driver.DeadFilter{Error: reason, Resolved: resolved})
	if err != nil {
		w.t.Fatal(err)
	}
	return n.N
}

// left fails the test unless the retried ones are delivered, the resolved ones
// are there, and everything else is gone, and each change is in the audit log
// under that name.
func (w *ward) left(by string, resolved int64) {
	w.t.Helper()
	w.until("what was retried is delivered", func() bool { return w.delivered.Load() == 2*perType })
	if open, kept := w.count("", false), w.count("", true); open != 0 || kept != resolved {
		w.t.Errorf("%s: %d letters are open and %d resolved, want 0 and %d", by, open, kept, resolved)
	}
	entries, _, err := w.db.Store.ListAudit(w.t.Context(), driver.AuditFilter{}, 0, 100_000)
	if err != nil {
		w.t.Fatal(err)
	}
	letters := map[driver.AuditAction]int{}
	for _, e := range entries {
		if e.By == by && e.Note == "mended" {
			letters[e.Action] += len(e.Subjects)
		}
	}
	if letters[driver.AuditRetry] != 2*perType || letters[driver.AuditResolve] != 2*perType || letters[driver.AuditDelete] != perType {
		w.t.Errorf("%s: the audit log has %v", by, letters)
	}
}

func TestTenThousandDeadLettersAreDealtWithByRESTAndByCommand(t *testing.T) {
	for _, server := range []string{testenv.Postgres15, testenv.MySQL80} {
		t.Run(server, func(t *testing.T) {
			w := newWard(t, server)
			w.fill()
			auth, err := admin.Tokens(admin.Token{Name: "ann", Role: admin.Admin, SHA256: admin.Sum("secret")})
			if err != nil {
				t.Fatal(err)
			}
			h, err := admin.New(admin.Config{Store: w.db.Store, Auth: auth})
			if err != nil {
				t.Fatal(err)
			}
			api := httptest.NewServer(h)
			defer api.Close()
			defer w.runJobs()()
			var page struct{ Groups []admin.Group }
			text, err := request(t, http.MethodGet, api.URL+"/api/v1/dead-letter-groups", "")
			if err != nil {
				t.Fatal(err)
			}
			for group, action := range w.actions(text, &page, &page.Groups) {
				if _, err := request(t, http.MethodPost, api.URL+"/api/v1/jobs/"+action, `{"filter":{"group":"`+group+`"},"note":"mended"}`); err != nil {
					t.Fatal(err)
				}
			}
			w.until("the jobs are done", func() bool {
				text, err := request(t, http.MethodGet, api.URL+"/api/v1/jobs", "")
				return err == nil && strings.Count(text, `"state":"done"`) == len(reasons)
			})
			w.left("ann", 2*perType)

			w.fill()
			t.Setenv(databaseVariable, w.address)
			_, text, _ = call(t.Context(), "dlq", "groups", "-o", "json")
			var groups []admin.Group
			for group, action := range w.actions(text, &groups, &groups) {
				code, out, errs := call(t.Context(), "dlq", action, "--group", group, "--by", "bob", "--note", "mended", "--yes")
				if code != exitOK {
					t.Errorf("%s: exit code %d\n%s\n%s", action, code, out, errs)
				}
			}
			w.left("bob", 4*perType)
		})
	}
}

// runJobs runs jobs until it is told to stop.
func (w *ward) runJobs() (stop func()) {
	w.t.Helper()
	r, err := job.NewRunner(job.Config{Store: w.db.Store, Interval: 50 * time.Millisecond, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		w.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(w.t.Context())
	var running sync.WaitGroup
	running.Go(func() { r.Run(ctx) })
	return func() { cancel(); running.Wait() }
}

// actions reads the groups of an answer, and returns what to do with each: those
// of the gateway are retried, those of customers resolved, and the others deleted.
func (w *ward) actions(text string, into any, groups *[]admin.Group) map[string]string {
	w.t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		w.t.Fatalf("%v: %s", err, text)
	}
	what := map[string]string{}
	for _, g := range *groups {
		if g.Destination != "listener:"+g.Type || g.Open.N != 1000 || !g.Open.More {
			w.t.Errorf("%+v, want more than a thousand letters of the listener", g)
		}
		switch g.Reason {
		case "permanent: gateway refused order #":
			what[g.ID] = "retry"
		case "permanent: no such customer: #":
			what[g.ID] = "resolve"
		case "permanent: invalid amount in #":
			what[g.ID] = "delete"
		default:
			w.t.Errorf("a group has the reason %q", g.Reason)
		}
	}
	if len(what) != len(reasons) {
		w.t.Fatalf("%d groups, want one of each type: %+v", len(what), *groups)
	}
	return what
}

// request sends a body, and returns the answer.
func request(t *testing.T, method, url, body string) (string, error) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		return "", err
	}
	req.Header.Set("Authorization", "Bearer secret")
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", err
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	http.DefaultClient.CloseIdleConnections()
	if resp.StatusCode != http.StatusOK {
		return "", errors.New(string(text))
	}
	return string(text), err
}
