package console_test

import (
	"context"
	"fmt"
	"html"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/admin/console"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/job"
	"github.com/sendoff-go/outbox/store/memstore"
)

// letterRig is a console on a store in memory, with a token for each role, which is
// named like it.
type letterRig struct {
	t      *testing.T
	store  *memstore.Store
	server *httptest.Server
	client *http.Client
}

func newLetterRig(t *testing.T, change ...func(*console.Config)) *letterRig {
	t.Helper()
	r := &letterRig{t: t, store: memstore.New(memstore.Config{})}
	tokens, err := admin.Tokens(
		admin.Token{Name: "vera", Role: admin.Viewer, SHA256: admin.Sum("viewer")},
		admin.Token{Name: "olga", Role: admin.Operator, SHA256: admin.Sum("operator")},
		admin.Token{Name: "anna", Role: admin.Admin, SHA256: admin.Sum("admin")})
	if err != nil {
		t.Fatal(err)
	}
	c := console.Config{API: admin.Config{Store: r.store, Auth: tokens, Rate: 1_000_000, Logger: slog.New(slog.NewTextHandler(t.Output(), nil))}}
	for _, f := range change {
		f(&c)
	}
	handler, err := console.New(c)
	if err != nil {
		t.Fatal(err)
	}
	r.server = httptest.NewServer(http.StripPrefix("/x/console", handler))
	t.Cleanup(r.server.Close)
	r.client = &http.Client{Transport: &http.Transport{}, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	t.Cleanup(r.client.CloseIdleConnections)
	return r
}

// page is an answer: its status, where it leads to, and its text.
type page struct {
	status   int
	location string
	text     string
}

func (r *letterRig) send(role admin.Role, method, path string, form url.Values) page {
	r.t.Helper()
	if form == nil {
		return r.do(role, method, path, http.NoBody, "")
	}
	return r.do(role, method, path, strings.NewReader(form.Encode()), "application/x-www-form-urlencoded")
}

func (r *letterRig) do(role admin.Role, method, path string, body io.Reader, contentType string) page {
	r.t.Helper()
	req, err := http.NewRequestWithContext(r.t.Context(), method, r.server.URL+"/x/console/"+path, body)
	if err != nil {
		r.t.Fatal(err)
	}
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	req.Header.Set("Authorization", "Bearer "+string(role))
	return r.sent(req)
}

func (r *letterRig) sent(req *http.Request) page {
	r.t.Helper()
	res, err := r.client.Do(req)
	if err != nil {
		r.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		r.t.Fatal(err)
	}
	return page{res.StatusCode, res.Header.Get("Location"), string(text)}
}

// see reads a page, and fails the test unless it has each of some texts.
func (r *letterRig) see(role admin.Role, path string, texts ...string) string {
	r.t.Helper()
	p := r.send(role, http.MethodGet, path, nil)
	if p.status != http.StatusOK {
		r.t.Fatalf("%s: status %d: %s", path, p.status, p.text)
	}
	r.has(path, p.text, texts...)
	return p.text
}

func (r *letterRig) has(what, text string, texts ...string) {
	r.t.Helper()
	for _, want := range texts {
		if !strings.Contains(text, want) {
			r.t.Errorf("%s does not say %q: %s", what, want, text)
		}
	}
}

func (r *letterRig) hasNot(what, text string, texts ...string) {
	r.t.Helper()
	for _, no := range texts {
		if strings.Contains(text, no) {
			r.t.Errorf("%s says %q", what, no)
		}
	}
}

// post sends a form, and fails the test unless it leads to a page.
func (r *letterRig) post(role admin.Role, path string, form url.Values, to string) {
	r.t.Helper()
	p := r.send(role, http.MethodPost, path, form)
	if p.status != http.StatusSeeOther || !strings.HasSuffix(strings.TrimLeft(p.location, "./"), to) {
		r.t.Fatalf("%s: status %d to %q, want %q: %s", path, p.status, p.location, to, p.text)
	}
}

// refused fails the test unless a request is refused, in words.
func (r *letterRig) refused(role admin.Role, method, path string, form url.Values, status int, says string) {
	r.t.Helper()
	p := r.send(role, method, path, form)
	if p.status != status || !strings.Contains(p.text, says) {
		r.t.Errorf("%s %s as %s: status %d, want %d with %q: %s", method, path, role, p.status, status, says, p.text)
	}
}

// hidden are the hidden fields of the last form of a page.
func hidden(text string) url.Values {
	out := url.Values{}
	text = text[strings.LastIndex(text, "<form class=\"form\""):]
	for _, m := range regexp.MustCompile(`<input type="hidden" name="([^"]*)" value="([^"]*)">`).FindAllStringSubmatch(text, -1) {
		out.Add(m[1], html.UnescapeString(m[2]))
	}
	return out
}

// die writes n events that die with a failure, and returns their ids.
func (r *letterRig) die(e outbox.Event, n int, f driver.Failure) (ids []string) {
	r.t.Helper()
	w := outbox.NewWriter(r.store)
	es := make([]outbox.Event, n)
	for i := range es {
		if es[i] = e; e.JSON == nil && e.Bytes == nil {
			es[i].JSON = fmt.Appendf(nil, `{"n":%d,"customer":{"id":%d}}`, i, 4711+i)
		}
	}
	err := w.InTx(r.t.Context(), func(ctx context.Context, tx *memstore.Tx) (err error) {
		ids, err = w.WriteAll(ctx, tx, es...)
		return err
	})
	if err != nil {
		r.t.Fatal(err)
	}
	owner := driver.NewOwner("relay-1")
	cs, err := r.store.Claim(r.t.Context(), driver.ClaimRequest{Owner: owner, Lease: time.Hour, Wants: []driver.Want{{Lane: e.Type, Rows: n}}})
	if err != nil || len(cs) != n {
		r.t.Fatalf("%d claimed, error %v", len(cs), err)
	}
	f.At, f.Owner, f.Attempt = time.Now(), owner, 1
	var outcomes []driver.Outcome
	for _, c := range cs {
		outcomes = append(outcomes, driver.Outcome{Held: c.Held, Kind: driver.Dead, Attempts: 3, Error: f.Error, Failures: driver.AppendFailure(nil, f)})
	}
	if stale, err := r.store.Settle(r.t.Context(), owner, outcomes, true); err != nil || len(stale) > 0 {
		r.t.Fatalf("stale %v, error %v", stale, err)
	}
	if _, err := r.store.GroupDead(r.t.Context(), 1000); err != nil {
		r.t.Fatal(err)
	}
	return ids
}

func (r *letterRig) kill(eventType, reason string, n int) []string {
	r.t.Helper()
	return r.die(outbox.Event{Type: eventType, AggregateID: "A-1", Headers: map[string]string{"source": "shop"}}, n, driver.Failure{Error: reason, Took: time.Second})
}

// counts are how many events wait, and how many letters are open and resolved.
func (r *letterRig) counts() string {
	r.t.Helper()
	s, err := r.store.Stats(r.t.Context())
	if err != nil {
		r.t.Fatal(err)
	}
	open, err1 := r.store.CountDead(r.t.Context(), driver.DeadFilter{})
	resolved, err2 := r.store.CountDead(r.t.Context(), driver.DeadFilter{Resolved: true})
	if err1 != nil || err2 != nil {
		r.t.Fatal(err1, err2)
	}
	return fmt.Sprintf("%d wait, %d open, %d resolved", s.Waiting.N, open.N, resolved.N)
}

func (r *letterRig) want(counts string) {
	r.t.Helper()
	if got := r.counts(); got != counts {
		r.t.Errorf("%s, want %s", got, counts)
	}
}

// groups are the groups of dead letters.
func (r *letterRig) groups() []driver.DeadGroup {
	r.t.Helper()
	gs, _, err := r.store.ListGroups(r.t.Context(), driver.GroupFilter{}, nil, 100)
	if err != nil {
		r.t.Fatal(err)
	}
	return gs
}

// lastJob is the latest job.
func (r *letterRig) lastJob() driver.Job {
	r.t.Helper()
	js, _, err := r.store.ListJobs(r.t.Context(), driver.JobFilter{}, "", 1)
	if err != nil || len(js) != 1 {
		r.t.Fatalf("%d jobs, error %v", len(js), err)
	}
	return js[0]
}

// runJob runs the latest job to its end.
func (r *letterRig) runJob() driver.Job {
	r.t.Helper()
	runner, err := job.NewRunner(job.Config{Store: r.store, Logger: slog.New(slog.NewTextHandler(r.t.Output(), nil))})
	if err != nil {
		r.t.Fatal(err)
	}
	j, err := runner.RunJob(r.t.Context(), r.lastJob().ID, nil)
	if err != nil {
		r.t.Fatal(err)
	}
	return j
}

// audit is the latest entry of the audit log.
func (r *letterRig) audit() string {
	r.t.Helper()
	es, _, err := r.store.ListAudit(r.t.Context(), driver.AuditFilter{}, 0, 1)
	if err != nil || len(es) == 0 {
		r.t.Fatalf("%d entries, error %v", len(es), err)
	}
	return fmt.Sprintf("%s %s %q", es[0].By, es[0].Action, es[0].Note)
}
