package console_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/admin/console"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/memstore"
)

// eventRig is a console on a store in memory, under a path, with a token for each
// role, which is named like it.
type eventRig struct {
	t     *testing.T
	store *memstore.Store
	web   *httptest.Server
}

func newEventRig(t *testing.T, change ...func(*console.Config)) *eventRig {
	t.Helper()
	tokens, err := admin.Tokens(
		admin.Token{Name: "vera", Role: admin.Viewer, SHA256: admin.Sum("viewer")},
		admin.Token{Name: "olga", Role: admin.Operator, SHA256: admin.Sum("operator")},
		admin.Token{Name: "anna", Role: admin.Admin, SHA256: admin.Sum("admin")})
	if err != nil {
		t.Fatal(err)
	}
	r := &eventRig{t: t, store: memstore.New(memstore.Config{})}
	c := console.Config{API: admin.Config{Store: r.store, Auth: tokens, Rate: 1_000_000, Logger: slog.New(slog.DiscardHandler)}}
	for _, f := range change {
		f(&c)
	}
	h, err := console.New(c)
	if err != nil {
		t.Fatal(err)
	}
	r.web = httptest.NewServer(http.StripPrefix("/ops/console", h))
	t.Cleanup(r.web.Close)
	return r
}

// get asks for a page of the console without following where it leads.
func (r *eventRig) get(role admin.Role, page string) (status int, text, location string) {
	r.t.Helper()
	req, err := http.NewRequestWithContext(r.t.Context(), http.MethodGet, r.web.URL+"/ops/console/"+page, nil)
	if err != nil {
		r.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+string(role))
	a, err := (&http.Client{Transport: r.web.Client().Transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}).Do(req)
	if err != nil {
		r.t.Fatal(err)
	}
	defer func() { _ = a.Body.Close() }()
	body, err := io.ReadAll(a.Body)
	if err != nil {
		r.t.Fatal(err)
	}
	return a.StatusCode, string(body), a.Header.Get("Location")
}

// shows fails the test unless the page has each of the texts; those that begin
// with ! it must not have.
func (r *eventRig) shows(role admin.Role, page string, want int, texts ...string) string {
	r.t.Helper()
	status, text, _ := r.get(role, page)
	if status != want {
		r.t.Fatalf("%s has status %d, want %d: %s", page, status, want, text)
	}
	_, main, _ := strings.Cut(text, `<main id="main"`)
	for _, one := range texts {
		not, absent := strings.CutPrefix(one, "!")
		if strings.Contains(main, not) == absent {
			r.t.Errorf("%s shows %q: %t\n%s", page, not, absent, main)
		}
	}
	return main
}

func (r *eventRig) write(es ...outbox.Event) (ids []string) {
	r.t.Helper()
	w := outbox.NewWriter(r.store)
	err := w.InTx(r.t.Context(), func(ctx context.Context, tx *memstore.Tx) (err error) {
		ids, err = w.WriteAll(ctx, tx, es...)
		return err
	})
	if err != nil {
		r.t.Fatal(err)
	}
	return ids
}

// settle gives all events of a type that are due one outcome.
func (r *eventRig) settle(eventType string, o driver.Outcome, failures ...driver.Failure) {
	r.t.Helper()
	owner := driver.NewOwner("relay-1")
	cs, err := r.store.Claim(r.t.Context(), driver.ClaimRequest{Owner: owner, Lease: time.Hour, Wants: []driver.Want{{Lane: eventType, Rows: 1000}}})
	if err != nil || len(cs) == 0 {
		r.t.Fatalf("%d claimed, error %v", len(cs), err)
	}
	var all []driver.Outcome
	for _, f := range failures {
		f.Owner = owner
		o.Failures = driver.AppendFailure(o.Failures, f)
	}
	for _, c := range cs {
		o.Held = c.Held
		all = append(all, o)
	}
	if stale, err := r.store.Settle(r.t.Context(), owner, all, true); err != nil || len(stale) > 0 {
		r.t.Fatalf("stale %v, error %v", stale, err)
	}
}

// hostile is a text that would do harm if it were not escaped.
const hostile = `<script>alert("x")</script>`
