package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/sendoff-go/outbox/driver"
)

// lossy is a proxy before an API that loses the answers to some starts of jobs,
// which the API has made.
func lossy(t *testing.T, s *served, lost int32) (starts *atomic.Int32) {
	t.Helper()
	to, err := url.Parse(s.url)
	if err != nil {
		t.Fatal(err)
	}
	proxy, starts := httputil.NewSingleHostReverseProxy(to), &atomic.Int32{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		r.Body = io.NopCloser(strings.NewReader(string(body)))
		if r.Method == http.MethodPost && !strings.Contains(string(body), "dry_run") && starts.Add(1) <= lost {
			proxy.ServeHTTP(httptest.NewRecorder(), r)
			panic(http.ErrAbortHandler) // the connection ends without an answer
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	s.url = server.URL
	return starts
}

func TestAJobWhoseStartIsNotAnsweredIsStartedOnce(t *testing.T) {
	s := serve(t)
	s.exec(t, seeds...)
	starts := lossy(t, s, 1)
	if got := s.through(t, "ann", "dlq resolve --type OrderPlaced --yes"); got.code != exitOK || got.stdout != "3 resolved\n" {
		t.Errorf("%+v", got)
	}
	js, _, err := s.db.Store.ListJobs(t.Context(), driver.JobFilter{}, "j", 10) // before the seeds
	if err != nil || len(js) != 1 || starts.Load() != 2 {
		t.Errorf("%d jobs of %d starts, error %v; want one of two", len(js), starts.Load(), err)
	}
}

func TestAStartThatIsNeverAnsweredIsRepeatedByItsID(t *testing.T) {
	s := serve(t)
	s.exec(t, seeds...)
	lossy(t, s, startTries)
	got := s.through(t, "ann", "dlq resolve --type OrderPlaced --yes")
	id := regexp.MustCompile(`repeat the command with --id (\w{26})`).FindStringSubmatch(got.stderr)
	if got.code != exitUnavailable || id == nil {
		t.Fatalf("%+v", got)
	}
	if got = s.through(t, "bob", "dlq resolve --type OrderPlaced --yes --id "+id[1]); got.code != exitFailure || !strings.Contains(got.stderr, "choose a new id") {
		t.Errorf("by somebody else: %+v", got)
	}
	if got = s.through(t, "ann", "dlq resolve --type OrderPlaced --yes --id "+id[1]); got.code != exitOK || got.stdout != "3 resolved\n" {
		t.Errorf("again: %+v", got)
	}
	if js, _, err := s.db.Store.ListJobs(t.Context(), driver.JobFilter{}, "j", 10); err != nil || len(js) != 1 {
		t.Errorf("%d jobs, error %v; want one", len(js), err)
	}
}
